import AppStoreModel
import LedgerServer

/// Gives the word back to the configuration.
struct WithdrawCommand: Command {
  private let isPolicy: Bool

  static let product = WithdrawCommand(isPolicy: false)
  static let policy = WithdrawCommand(isPolicy: true)

  private init(isPolicy: Bool) {
    self.isPolicy = isPolicy
  }

  var usage: Usage {
    Usage(
      isPolicy ? "policy withdraw" : "catalog withdraw",
      isPolicy
        ? "Let the configuration say again how doubt is treated."
        : "Let the configuration say again what a product grants.",
      operands: isPolicy ? [] : [CatalogSubject.product],
      options: [ConfigurationFile.option, Reach.app, Option<Bool>.json],
      example: isPolicy
        ? "clawback policy withdraw" : "clawback catalog withdraw com.example.app.pro",
      exitCodes: [
        (.success, "The configuration counts now."), (.failure, "Not, for the reason shown."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let subject =
      isPolicy
      ? try CatalogSubject(arguments, "policy")
      : try CatalogSubject(arguments, "products", arguments[CatalogSubject.product])
    return console.tell(
      try subject.ask("DELETE"), asJSON: arguments[Option<Bool>.json],
      done: "The configuration counts from now on.", before: "The configuration counted before.")
  }
}
