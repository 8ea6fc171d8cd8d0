import AppStoreModel
import LedgerServer

/// States how doubt is treated, in place of the configuration.
struct PolicyPutCommand: Command {
  private let leeway = Option<Int?>.number(
    "renewal-leeway-minutes", in: 0...10_080,
    "How long access stays at expiry while Apple is asked. Default: 60.")
  private let unknown = Option<String?>.choice(
    "unknown-customer", ["deny", "allow"],
    "What the gate says of a customer of whom no fact tells. Default: deny.")
  private let spent = Option<String?>.choice(
    "spent-credits", ["debt", "freeze", "writeOff"],
    "What becomes of credits that were spent and then refunded. Default: debt.")
  private let from = Option<String?>.text(
    "from", "TIME", "For revocations from then on. Default: for all.")
  private let file = Option<String?>.text(
    "file", "FILE", "Several entries, each for revocations from a moment on: {\"entries\":[…]}.")

  var usage: Usage {
    Usage(
      "policy put", "State how doubt and spent credits are treated, in place of the configuration.",
      discussion: """
        It is all there is to say, counts at once and in both environments, and until \
        'policy withdraw' gives the word back to the configuration.
        """,
      options: [
        ConfigurationFile.option, Reach.app, leeway, unknown, spent, from, file, Option<Bool>.json,
      ],
      example: "clawback policy put --unknown-customer allow --spent-credits writeOff",
      exitCodes: [(.success, "It counts now."), (.failure, "It does not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let entry = try entry(arguments)
    let entries: [JSONValue]
    if let path = arguments[file] {
      guard entry.isEmpty else { throw UsageError.notTogether("--file", "what it states") }
      entries = try CatalogSubject.entries(path)
    } else {
      guard !entry.isEmpty else {
        throw UsageError.missingOption(
          "--unknown-customer, --spent-credits, --renewal-leeway-minutes or --file")
      }
      entries = [.object(entry)]
    }
    let answer = try CatalogSubject(arguments, "policy")
      .ask("PUT", body: [.init("entries", .array(entries))])
    return console.tell(
      answer, asJSON: arguments[Option<Bool>.json], done: "It counts from now on.",
      before: "The same counted before.")
  }

  private func entry(_ arguments: Arguments) throws(UsageError) -> [JSONValue.Member] {
    let start = try arguments[from].map { (text) throws(UsageError) in
      try Moment.read(text, for: "--from")
    }
    let stated: [(String, JSONValue?)] = [
      ("renewalLeewayMinutes", arguments[leeway].map { .integer(Int64($0)) }),
      ("unknownCustomer", arguments[unknown].map { .string($0) }),
      ("spentCredits", arguments[spent].map { .string($0) }),
      ("effectiveFromMs", start.map { .integer($0.millisecondsSince1970) }),
    ]
    return stated.compactMap { name, value in value.map { .init(name, $0) } }
  }
}
