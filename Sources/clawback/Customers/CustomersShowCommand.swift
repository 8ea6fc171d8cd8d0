import AppStoreModel
import LedgerServer

/// Shows what a customer has, and why.
struct CustomersShowCommand: Command {
  private let customer = CustomerOperand.operand
  private let at = Option<String?>.text(
    "at", "TIME", "By what was signed by then: 2026-11-30 or 2026-11-30T08:00:00Z.")

  var usage: Usage {
    Usage(
      "customers show", "Show what a customer has, and why.",
      discussion: """
        'granted' and 'denied' are decisions. A customer of whom no fact tells has none: that is \
        'unknown', and the policy unknownCustomer says what it means.
        """,
      operands: [customer], options: Reach.options + [at, Option<Bool>.json],
      example: "clawback customers show user-1",
      exitCodes: [(.success, "It was shown."), (.failure, "It was not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let reach = try Reach(arguments)
    let moment = try arguments[at].map { (text) throws(UsageError) in
      try Moment.read(text, for: "--at")
    }
    let answer = try reach.ask(
      "GET", "customers", arguments[customer], "entitlements",
      query: moment.map { [.init("at", .string(String($0.millisecondsSince1970)))] } ?? [])
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let decisions = answer["entitlements"]?.array ?? []
    console.print(
      TextTable(
        header: ["entitlement", "decision", "reason", "until", "product", "transaction"],
        rows: decisions.map(Self.row)))
    if decisions.isEmpty { console.note(try Self.emptiness(arguments[customer], reach)) }
    return .success
  }

  /// Why there is nothing to show.
  private static func emptiness(
    _ customer: String, _ reach: Reach
  ) throws(CommandFailure) -> String {
    let place = "\(reach.app) \(reach.environment)"
    let known = try reach.ask(
      "GET", "customers", customer, "timeline", query: [.init("limit", .string("1"))])
    guard known["entries"]?.array?.isEmpty == false else {
      return "Nothing is known of \(customer) in \(place)."
    }
    return "\(customer) is known in \(place), and has bought nothing that the catalog maps: "
      + "'clawback alerts list' names products that it does not, and 'clawback customers timeline' "
      + "all that is known."
  }

  private static func row(_ decision: JSONValue) -> [String] {
    let evidence = decision["evidence"]
    let verdict = decision["verdict"]?.string ?? ""
    return [
      decision["entitlement"]?.string ?? "",
      decision["provisional"] == .bool(true) ? verdict + ", provisional" : verdict,
      decision["reason"]?.string ?? "", Moment.text(decision["untilMs"]),
      evidence?["productId"]?.string ?? "-",
      evidence?["transactionId"]?.string ?? evidence?["grantId"]?.string ?? "-",
    ]
  }
}
