import AppStoreModel
import LedgerServer

/// Lists the access that a customer was given by hand.
struct GrantsListCommand: Command {
  private let customer = CustomerOperand.operand

  var usage: Usage {
    Usage(
      "grants list", "List the access that a customer was given by hand, ended ones included.",
      operands: [customer], options: Reach.options + [Option<Bool>.json],
      example: "clawback grants list user-1",
      exitCodes: [(.success, "They were listed."), (.failure, "Not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Reach(arguments).ask("GET", "customers", arguments[customer], "grants")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let grants = answer["grants"]?.array ?? []
    console.print(
      TextTable(
        header: [
          "grant", "entitlement", "active", "from", "until", "given by", "reason", "taken back",
        ], rows: grants.map(Self.row)))
    if grants.isEmpty { console.note("Nothing was ever given to \(arguments[customer]) by hand.") }
    return .success
  }

  private static func row(_ grant: JSONValue) -> [String] {
    [
      grant.cell("id"), grant.cell("entitlement"), grant.cell("isActive"),
      Moment.text(grant["fromMs"]), Moment.text(grant["untilMs"]), grant.cell("grantedBy"),
      grant.cell("reason"), takenBack(grant),
    ]
  }

  private static func takenBack(_ grant: JSONValue) -> String {
    guard grant["revokedAtMs"] != nil else { return "-" }
    let words = [
      grant.cell("revokedAtMs"), grant["revokedBy"]?.string.map { "by " + $0 },
      grant["revocationReason"]?.string.map { "(\($0))" },
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}
