import AppStoreModel
import AppStoreVerification

/// Verifies one thing that Apple signed, and explains it.
struct InspectCommand: Command {
  let file = Operand.optional("FILE", "The file to look at; - or nothing reads standard input.")
  let root = RootOption.option
  let bundleID = Option<String?>.text("bundle-id", "ID", "Refuse data of another app.")
  let appAppleID = Option<String?>.text("app-apple-id", "N", "Refuse data of another App Store id.")
  let environment = Option.choice(
    "environment", ServerEnvironment.allCases.map(\.rawValue), "Refuse data of another environment."
  )

  var usage: Usage {
    Usage(
      "inspect", "Verify anything Apple signed and explain it in plain words.",
      discussion: """
        FILE holds a compact JWS, or an object with signedPayload, signedTransactionInfo, \
        signedRenewalInfo or signedAppTransactionInfo. Nothing is asked of the network.
        """,
      operands: [file], options: [root, bundleID, appAppleID, environment, Option.json],
      example: "clawback inspect notification.json",
      exitCodes: [
        (.success, "The data is genuine."), (.failure, "It was refused."),
        (.unusable, "There is nothing in the file that could be verified."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let input = try read(arguments[file])
    let verifier = try SignedDataVerifier(
      roots: [try RootOption.read(arguments[root])], allowed: try allowed(arguments))
    let inspection = Inspection(input, with: verifier, now: WallClock.now)
    if arguments[Option.json] {
      console.print(inspection.json)
    } else {
      for line in inspection.lines { console.print(line) }
    }
    return inspection.isAccepted ? .success : .failure
  }

  private func read(_ path: String?) throws -> SignedInput {
    let name = path == nil || path == "-" ? "standard input" : path ?? ""
    let text = try InputFile.read(path)
    if let problem = InspectedText(text).problem {
      throw CommandFailure(
        "\(name) cannot be inspected: \(problem.what).", advice: problem.advice, code: .unusable)
    }
    do throws(SignedInput.Unusable) {
      return try SignedInput(text: text)
    } catch {
      throw CommandFailure(
        "\(name) cannot be inspected: \(error)", advice: InspectedText.advice, code: .unusable)
    }
  }

  private func allowed(_ arguments: Arguments) throws -> AllowedOrigins {
    var number: Int64?
    if let word = arguments[appAppleID] {
      guard let parsed = Int64(word), parsed > 0 else {
        throw UsageError.badValue(appAppleID.name, word, expected: "a positive whole number")
      }
      number = parsed
    }
    return .comparing(
      bundleID: arguments[bundleID], appAppleID: number,
      environment: arguments[environment].flatMap(ServerEnvironment.init(rawValue:)))
  }
}
