import AppStoreModel
import Glibc
import LedgerServer

/// Writes a configuration file and makes the first key.
struct InitCommand: Command {
  private let bundleId = Option<String>.required("bundle-id", "ID", "The app's bundle id.")
  private let appAppleId = Option<Int?>.number(
    "app-apple-id", in: 1...Int.max, "The app's Apple ID; without it only Sandbox is accepted.")
  private let config = ConfigurationFile.option
  private let root = Option<String>.text(
    "root", "FILE", default: "apple", "The root to trust: apple, or a DER file of a simulator.")
  private let database = Option<String>.text(
    "database", "URL", default: "sqlite:clawback.db", "The ledger.")

  var usage: Usage {
    Usage(
      "init", "Write an explained configuration file, and make the first key.",
      discussion:
        "The key's secret is printed once and kept nowhere. An existing file is left alone.",
      options: [bundleId, appAppleId, config, root, database, Option<Bool>.json],
      example: "clawback init --bundle-id com.example.app --app-apple-id 1234567890",
      exitCodes: [
        (.success, "File and key were made."), (.failure, "There is such a file, or such a key."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let path = arguments[config]
    let template = ConfigurationTemplate(
      bundleId: arguments[bundleId], appAppleId: arguments[appAppleId].map { Int64($0) },
      root: arguments[root], database: arguments[database])
    try write(template.text, to: path)
    do throws(CommandFailure) {
      let answer = try makeKey(path, template)
      if arguments[Option<Bool>.json] {
        console.print(String(decoding: answer.json, as: UTF8.self))
      } else {
        console.note("Wrote \(path). The key 'admin', shown this once:")
        console.print(answer["secret"]?.string ?? "")
      }
      return .success
    } catch {
      unlink(path)
      throw error
    }
  }

  private func makeKey(
    _ path: String, _ template: ConfigurationTemplate
  ) throws(CommandFailure) -> JSONValue {
    let configuration = try ConfigurationFile.read(path)
    return try Operator(configuration: configuration).ask(
      "keys.create",
      [
        .init("name", .string("admin")), .init("scope", .string("admin")),
        .init("apps", .array([.string(template.bundleId)])),
        .init("environment", .string(template.environments[0])),
      ])
  }

  private func write(_ text: String, to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "\(path) cannot be written: \(String(cString: strerror(errno))).",
        advice: "Name another file with --config, or remove that one.")
    }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
  }
}
