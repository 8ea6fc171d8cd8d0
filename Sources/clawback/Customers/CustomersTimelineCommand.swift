import AppStoreModel
import LedgerServer

/// Shows everything that is known of a customer, in the order in which it became known.
struct CustomersTimelineCommand: Command {
  private let customer = CustomerOperand.operand

  var usage: Usage {
    Usage(
      "customers timeline", "Show every fact, posting and event of a customer, oldest first.",
      operands: [customer], options: Reach.options + [Option<Bool>.json],
      example: "clawback customers timeline user-1",
      exitCodes: [(.success, "It was shown."), (.failure, "It was not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let reach = try Reach(arguments)
    let (answer, entries) = try read(reach, arguments[customer])
    if arguments[Option<Bool>.json] {
      console.print(
        json: .object(answer + [.init("entries", .array(entries))]))
      return .success
    }
    console.print(
      TextTable(
        header: ["at", "kind", "what", "by", "transaction", "details"],
        rows: entries.map(Self.row)))
    if entries.isEmpty {
      console.note(
        "Nothing is known of \(arguments[customer]) in \(reach.app) \(reach.environment).")
    }
    return .success
  }

  /// All pages: what stands beside the entries, and the entries.
  private func read(
    _ reach: Reach, _ customer: String
  ) throws(CommandFailure) -> ([JSONValue.Member], [JSONValue]) {
    var entries: [JSONValue] = []
    var query: [JSONValue.Member] = [.init("limit", .string("500"))]
    while true {
      let page = try reach.ask("GET", "customers", customer, "timeline", query: query)
      entries += page["entries"]?.array ?? []
      guard let next = page["next"] else {
        guard case .object(let members) = page else { return ([], entries) }
        return (members.filter { $0.name != "entries" }, entries)
      }
      query = [.init("limit", .string("500")), .init("after", next)]
    }
  }

  private static func row(_ entry: JSONValue) -> [String] {
    let start = [Moment.text(entry["atMs"]), entry["kind"]?.string ?? ""]
    switch entry["kind"]?.string {
    case "posting": return start + posting(entry)
    case "event": return start + event(entry["event"])
    default: return start + fact(entry)
    }
  }

  private static func fact(_ entry: JSONValue) -> [String] {
    let type = [entry["notificationType"]?.string, entry["subtype"]?.string].compactMap { $0 }
    let effect = entry["effect"]?.string.map { $0 == "applied" ? nil : $0 } ?? nil
    let details = [
      entry["productId"]?.string, entry["revokedAtMs"].map { "revoked " + Moment.text($0) },
      entry["delayMs"]?.integer.map { "told " + Measured.text(milliseconds: $0) + " later" },
      effect, entry["reason"]?.string,
      entry["statement"].map { String(decoding: $0.json, as: UTF8.self) },
    ]
    return [
      type.isEmpty ? entry["fact"]?.string ?? "" : type.joined(separator: "/"),
      entry["channel"]?.string ?? "-",
      entry["transactionId"]?.string ?? entry["originalTransactionId"]?.string ?? "-",
      details.compactMap { $0 }.joined(separator: ", "),
    ]
  }

  private static func posting(_ entry: JSONValue) -> [String] {
    let money = Money(
      milliunits: entry["milliunits"]?.integer ?? 0,
      currency: Currency(code: entry["currency"]?.string ?? ""))
    return [money.text, "-", entry["transactionId"]?.string ?? "-", "refunded as Apple signalled"]
  }

  private static func event(_ event: JSONValue?) -> [String] {
    let decision = event?["data"]?["decision"]
    let words = [
      decision?["entitlement"]?.string, decision?["verdict"]?.string,
      decision?["reason"]?.string,
    ]
    return [
      event?["type"]?.string ?? "", "-", decision?["evidence"]?["transactionId"]?.string ?? "-",
      words.compactMap { $0 }.joined(separator: ", "),
    ]
  }
}
