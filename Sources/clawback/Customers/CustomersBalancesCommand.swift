import AppStoreModel
import LedgerServer

/// Shows a customer's credits.
struct CustomersBalancesCommand: Command {
  private let customer = CustomerOperand.operand

  var usage: Usage {
    Usage(
      "customers balances", "Show a customer's credits: balances, lots and debts.",
      discussion: """
        A lot is what one purchase of a consumable filled. A debt is what was spent of a lot and then \
        refunded; 'customers forgive' ends one.
        """,
      operands: [customer], options: Reach.options + [Option<Bool>.json],
      example: "clawback customers balances user-1",
      exitCodes: [(.success, "They were shown."), (.failure, "Not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let reach = try Reach(arguments)
    let answer = try reach.ask("GET", "customers", arguments[customer], "balances")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let balances = answer["balances"]?.array ?? []
    console.print(
      TextTable(
        header: ["unit", "balance", "available", "held", "owed", "frozen"],
        rows: balances.map { balance in
          ["unit", "balance", "available", "held", "owed", "frozen"].map { balance.cell($0) }
        }))
    show(balances, "lots", Self.lot, on: console)
    show(balances, "debts", Self.debt, on: console)
    if balances.isEmpty {
      console.note(
        "\(arguments[customer]) has no credits in \(reach.app) \(reach.environment).")
    }
    return .success
  }

  private static let lot = [
    ("transaction", "transactionId"), ("product", "productId"), ("bought", "purchasedAtMs"),
    ("filled", "filled"), ("taken back", "takenBack"), ("held", "held"), ("spent", "spent"),
    ("paid to debts", "paidToDebts"), ("available", "available"),
  ]
  private static let debt = [
    ("debt", "id"), ("treatment", "treatment"), ("credits", "credits"), ("paid", "paid"),
    ("open", "open"), ("forgiven", "forgiven"), ("opened", "openedAtMs"),
    ("transaction", "transactionId"),
  ]

  private func show(
    _ balances: [JSONValue], _ member: String, _ columns: [(title: String, member: String)],
    on console: Console
  ) {
    let rows = balances.flatMap { balance in
      (balance[member]?.array ?? []).map { item in
        [balance.cell("unit")] + columns.map { item.cell($0.member) }
      }
    }
    guard !rows.isEmpty else { return }
    console.print("")
    console.print(TextTable(header: ["unit"] + columns.map(\.title), rows: rows))
  }
}

extension JSONValue {
  /// A member as a cell of a table: a moment where the name says so, a dash where there is none.
  func cell(_ name: String) -> String {
    switch self[name] {
    case nil: "-"
    case let value? where name.hasSuffix("AtMs"): Moment.text(value)
    case .bool(let flag)?: flag ? "yes" : "no"
    case let value?: value.string ?? value.integer.map(String.init) ?? "-"
    }
  }
}
