import AppStoreModel
import AppStoreVerification
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
  private let database = Option<String?>.text(
    "database", "URL", "The ledger. Default: clawback.db beside the configuration file.")

  var usage: Usage {
    Usage(
      "init", "Write an explained configuration file, and make the first key.",
      discussion:
        """
        The key's secret is printed once and kept nowhere. An existing file is left alone. A ledger that \
        is there already is kept, with its keys: the new key then has another name.
        """,
      options: [bundleId, appAppleId, config, root, database, Option<Bool>.json],
      example: "clawback init --bundle-id com.example.app --app-apple-id 1234567890",
      exitCodes: [
        (.success, "File and key were made."),
        (.failure, "There is such a file, or it cannot be written."),
        (.unusable, "The command line, the root or the ledger cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let path = arguments[config]
    let template = ConfigurationTemplate(
      bundleId: arguments[bundleId], appAppleId: arguments[appAppleId].map { Int64($0) },
      root: Self.fromFolder(of: path, arguments[root], plain: "apple"),
      database: arguments[database].map { Self.database($0, in: path) } ?? "sqlite:clawback.db")
    try write(template.text, to: path)
    do throws(CommandFailure) {
      let configuration = try ConfigurationFile.read(path)
      let realm = try realm(configuration)
      let ledger = Operator(configuration: configuration, makesLedger: true)
      let answer = try makeKey(ledger, template, realm)
      let asJSON = arguments[Option<Bool>.json]
      if !asJSON { announce(answer, path, on: console) }
      try ShownSecret(answer: answer, ledger: ledger).show(asJSON: asJSON, on: console)
      if !asJSON { explain(answer, path, configuration, on: console) }
      return .success
    } catch {
      unlink(path)
      throw error
    }
  }

  private func announce(_ answer: JSONValue, _ path: String, on console: Console) {
    let name = answer["key"]?["name"]?.string ?? ""
    console.note("Wrote \(path). The key '\(name)', shown this once:")
  }

  /// What the root vouches for.
  ///
  /// Errors: ``CommandFailure`` for what `serve` would refuse, also while a server runs that has a
  /// configuration of its own.
  private func realm(_ configuration: Configuration) throws(CommandFailure) -> Realm {
    do throws(ServiceError) {
      _ = try configuration.verifier()
      return try configuration.trustedRoot().realm
    } catch {
      guard case .unreadableFile = error else { throw CommandFailure(error) }
      throw CommandFailure(
        "\(error)",
        advice:
          "Check --root, whose path begins in the current folder, and the file's permissions.",
        code: .unusable)
    }
  }

  private func explain(
    _ answer: JSONValue, _ path: String, _ configuration: Configuration, on console: Console
  ) {
    let environment = answer["key"]?["environment"]?.string ?? ""
    console.note("It is for \(environment) alone.")
    let others = configuration.environments.map(\.rawValue).filter { $0 != environment }.sorted()
    for other in others {
      let file = path == ConfigurationFile.standing ? "" : " --config \(path)"
      console.note(
        "For \(other), in which TestFlight is and 'clawback simulate' by default, make another: "
          + "'clawback keys create NAME --scope admin --environment \(other)\(file)'.")
    }
    warn(answer, on: console)
  }

  private func warn(_ answer: JSONValue, on console: Console) {
    let name = answer["key"]?["name"]?.string ?? ""
    guard name != Self.keyName else { return }
    console.note(
      "The ledger was there, and has a key '\(Self.keyName)' whose secret still works; "
        + "'clawback keys revoke \(Self.keyName)' ends it.")
  }

  /// A path as the file has to state it: a relative one begins in the current folder on the command
  /// line, and in the file's folder in the file.
  private static func fromFolder(of file: String, _ path: String, plain: String) -> String {
    guard file.contains("/"), path != plain, !path.hasPrefix("/"),
      let folder = getcwd(nil, 0)
    else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  private static func database(_ address: String, in file: String) -> String {
    let scheme = "sqlite:"
    guard address.hasPrefix(scheme) else { return address }
    let path = fromFolder(of: file, String(address.dropFirst(scheme.count)), plain: ":memory:")
    return scheme + path
  }

  private static let keyName = "admin"

  private func makeKey(
    _ ledger: Operator, _ template: ConfigurationTemplate, _ realm: Realm
  ) throws(CommandFailure) -> JSONValue {
    let keys = try ledger.ask("keys.list")["keys"]?.array ?? []
    let taken = keys.compactMap { $0["name"]?.string }
    let names = [Self.keyName] + (2...taken.count + 2).map { "\(Self.keyName)-\($0)" }
    return try ledger.ask(
      "keys.create",
      [
        .init("name", .string(names.first { !taken.contains($0) } ?? Self.keyName)),
        .init("scope", .string("admin")),
        .init("apps", .array([.string(template.bundleId)])),
        .init("environment", .string(template.environments[0])),
        .init("realm", .string(realm.description)),
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
