import AppStoreModel
import LedgerServer

/// One of the commands that say whose a purchase is.
struct PurchaseOrderCommand: Command {
  private enum Order: String {
    case link, unlink, transfer
  }

  private let order: Order
  private let summary: String
  private let discussion: String
  private let done: String
  private let refused: String
  private let reason: Option<String?>

  static let link = PurchaseOrderCommand(
    .link, "Link a purchase to a customer.",
    "A purchase that somebody else owns stays theirs: 'customers transfer' moves it.",
    done: "Linked", refused: "Somebody else owns it, or no fact tells of it.")
  static let unlink = PurchaseOrderCommand(
    .unlink, "End the link between a purchase and a customer.", "", done: "Unlinked",
    refused: "It is not linked to that customer.")
  static let transfer = PurchaseOrderCommand(
    .transfer, "Move a purchase to a customer, over everything that is signed.",
    "Both customers are told by events, and it holds until another transfer.", done: "Moved",
    refused: "No fact tells of it.")

  private init(
    _ order: Order, _ summary: String, _ discussion: String, done: String, refused: String
  ) {
    self.order = order
    self.summary = summary
    self.discussion = discussion
    self.done = done
    self.refused = refused
    reason = .text(
      "reason", "TEXT", "Why, for the timeline." + (order == .link ? "" : " Has to be stated."))
  }

  var usage: Usage {
    let why = order == .link ? "" : " --reason ticket-81"
    return Usage(
      "customers \(order.rawValue)", summary, discussion: discussion,
      operands: [CustomerOperand.operand, CustomerOperand.purchase],
      options: Reach.options + [reason, Option<Bool>.json],
      example: "clawback customers \(order.rawValue) user-1 2000000123456789\(why)",
      exitCodes: [(.success, "It is so now."), (.failure, refused)])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    if order != .link, arguments[reason] == nil { throw UsageError.missingOption("--reason") }
    let (customer, purchase) = (
      arguments[CustomerOperand.operand], arguments[CustomerOperand.purchase]
    )
    let words = arguments[reason].map { [JSONValue.Member("reason", .string($0))] } ?? []
    let reach = try Reach(arguments)
    let answer =
      switch order {
      case .link: try reach.ask("PUT", "customers", customer, "purchases", purchase, body: words)
      case .unlink:
        try reach.ask("DELETE", "customers", customer, "purchases", purchase, body: words)
      case .transfer:
        try reach.ask(
          "POST", "customers", customer, "purchases", purchase, "transfer", body: words)
      }
    return console.tell(
      answer, asJSON: arguments[Option<Bool>.json],
      done: "\(done) \(purchase) \(order == .unlink ? "from" : "to") \(customer).",
      before: "It was so before.")
  }
}
