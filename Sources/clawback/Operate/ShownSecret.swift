import AppStoreModel
import LedgerServer

/// A new key's secret on its way to the only person who will ever see it.
struct ShownSecret {
  let answer: JSONValue
  let ledger: Operator

  /// Prints it, and ends the key again where the output took nothing: a secret that nobody has must
  /// not work.
  ///
  /// Errors: ``CommandFailure`` that says what became of the key.
  func show(asJSON: Bool, on console: Console) throws(CommandFailure) {
    if asJSON { console.print(json: answer) } else { console.print(answer["secret"]?.string ?? "") }
    guard let reason = console.lostOutput else { return }
    let name = answer["key"]?["name"]?.string ?? answer["name"]?.string ?? ""
    _ = try ledger.ask("keys.revoke", [.init("name", .string(name))])
    throw CommandFailure(
      "The secret of the key '\(name)' could not be written (\(reason)), so the key was ended again.",
      advice: "Make a key of another name where its secret can be shown: this one's is not given "
        + "twice.")
  }
}
