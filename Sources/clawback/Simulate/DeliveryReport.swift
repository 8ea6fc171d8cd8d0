import AppStoreModel
import AppStoreSimulator

/// Shows what was posted and what was answered.
struct DeliveryReport: Encodable {
  struct Row: Encodable {
    let type: String
    let subtype: String?
    let notificationUUID: String
    let signedDate: Int64
    let transactionId: String?
    let appAccountToken: String?
    let customer: String?
    let attempt: Int
    let status: Int?
    let failure: String?
    let problem: Delivery.Problem?
    let expected: String
    let forgery: String?
    let milliseconds: Double
    /// Not part of what is printed for programs.
    fileprivate let mark: String

    private enum CodingKeys: CodingKey {
      case type, subtype, notificationUUID, signedDate, transactionId, appAccountToken, customer
      case attempt, status, failure, problem, expected, forgery, milliseconds
    }

    init(_ delivery: Delivery) {
      let label = delivery.message.label
      type = label.type
      subtype = label.subtype
      notificationUUID = label.notificationUUID
      signedDate = label.signedDate
      transactionId = label.transactionId
      appAccountToken = label.appAccountToken
      customer = label.customer
      attempt = delivery.attempt
      status = delivery.status
      failure = delivery.failure
      problem = delivery.problem
      expected = delivery.message.expectation.rawValue
      forgery = label.forgery
      mark = delivery.mark
      milliseconds = delivery.time.milliseconds
    }
  }

  let scenario: String
  let seed: UInt64
  let rootFingerprint: String
  let accepted: Int
  /// Whether a receiver that checks everything does the same.
  let isAsExpected: Bool
  let notifications: [Row]

  init(_ performance: Performance, _ deliveries: [Delivery]) {
    scenario = performance.name
    seed = performance.seed
    rootFingerprint = performance.rootFingerprint
    accepted = deliveries.filter(\.isAccepted).count
    isAsExpected = Self.endsAsExpected(deliveries)
    notifications = deliveries.map(Row.init)
    forgeries = deliveries.filter { $0.message.expectation == .refused }
    customers = performance.customers(of: deliveries)
  }

  /// What was sent again because it was not taken counts by its last attempt, and what never left does
  /// not count.
  private static func endsAsExpected(_ deliveries: [Delivery]) -> Bool {
    var later: [String: Int] = [:]
    for delivery in deliveries.reversed() {
      let last = later[delivery.message.label.notificationUUID] ?? 0
      let isSentAgain = last > delivery.attempt
      if delivery.isPosted, !isSentAgain, !delivery.isAsExpected { return false }
      later[delivery.message.label.notificationUUID] = max(last, delivery.attempt)
    }
    return true
  }

  /// Of the deliveries, those that must be refused; not part of what is printed for programs.
  private let forgeries: [Delivery]
  /// Whom to ask about; likewise.
  private let customers: [String]

  private enum CodingKeys: CodingKey {
    case scenario, seed, rootFingerprint, accepted, isAsExpected, notifications
  }

  func print(asJSON: Bool, on console: Console) throws {
    if asJSON { return try console.print(json: self) }
    for line in table.lines { console.print(line) }
    for customer in customers { console.print(customer) }
    console.print("\(accepted) of \(notifications.count) were taken.")
    if !forgeries.isEmpty { console.print(forgerySummary) }
  }

  /// With a column of marks where there are forgeries.
  private var table: TextTable {
    let isMarked = notifications.contains { $0.expected != Delivery.Expectation.taken.rawValue }
    let header = ["sent", "transaction", "notificationUUID", "answer", "ms"]
    return TextTable(
      header: (isMarked ? ["mark"] : []) + header,
      rows: notifications.map { (isMarked ? [$0.mark] : []) + cells($0) })
  }

  private var forgerySummary: String {
    let taken = forgeries.count { $0.isAccepted }
    guard taken > 0 else {
      return "\(forgeries.count) must be refused, and were."
        + (isAsExpected ? "" : " Something else was not taken.")
    }
    return "\(forgeries.count) must be refused, and \(taken) of them were taken (marked "
      + "\(Delivery.alarm)): who believes them believes anybody."
  }

  private func answer(_ row: Row) -> String {
    let status = row.status.map(String.init) ?? row.failure ?? "-"
    return [status, row.problem?.text].compactMap { $0 }.joined(separator: " ")
  }

  private func cells(_ row: Row) -> [String] {
    [
      [row.type, row.subtype].compactMap { $0 }.joined(separator: "/")
        + (row.attempt > 1 ? ", attempt \(row.attempt)" : ""), row.transactionId ?? "-",
      row.notificationUUID, answer(row), Decimals.one(row.milliseconds),
    ]
  }
}
