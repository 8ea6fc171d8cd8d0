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
    let attempt: Int
    let status: Int?
    let failure: String?
    let problem: Delivery.Problem?
    let expected: String
    let milliseconds: Double
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
    notifications = deliveries.map(Self.row)
    forgeries = deliveries.filter { $0.expectation == .refused }
  }

  /// What was sent again because it was not taken counts by its last attempt, and what never left does
  /// not count.
  private static func endsAsExpected(_ deliveries: [Delivery]) -> Bool {
    deliveries.indices.allSatisfy { place in
      let delivery = deliveries[place]
      let uuid = delivery.message.notification?.payload.notificationUUID
      let isSentAgain = deliveries[(place + 1)...].contains {
        $0.attempt > delivery.attempt && $0.message.notification?.payload.notificationUUID == uuid
      }
      return !delivery.isPosted || isSentAgain || delivery.isAsExpected
    }
  }

  /// Of the deliveries, those that must be refused; not part of what is printed for programs.
  private let forgeries: [Delivery]

  private enum CodingKeys: CodingKey {
    case scenario, seed, rootFingerprint, accepted, isAsExpected, notifications
  }

  private static func row(_ delivery: Delivery) -> Row {
    let notification = delivery.message.notification
    let payload = notification?.payload ?? ResponseBodyV2DecodedPayload()
    return Row(
      type: payload.notificationType?.rawValue ?? "", subtype: payload.subtype?.rawValue,
      notificationUUID: payload.notificationUUID ?? "",
      signedDate: payload.signedDate?.millisecondsSince1970 ?? 0,
      transactionId: notification?.transaction?.transactionId,
      appAccountToken: notification?.transaction?.appAccountToken, attempt: delivery.attempt,
      status: delivery.status, failure: delivery.failure, problem: delivery.problem,
      expected: delivery.expectation.rawValue, milliseconds: delivery.time.milliseconds)
  }

  func print(asJSON: Bool, on console: Console) throws {
    if asJSON { return try console.print(json: self) }
    let table = TextTable(
      rows: [["sent", "transaction", "answer", "ms"]] + notifications.map(cells))
    for line in table.lines { console.print(line) }
    for token in Set(notifications.compactMap(\.appAccountToken)).sorted() {
      console.print("The app's customer is \(token).")
    }
    console.print("\(accepted) of \(notifications.count) were taken.")
    if !forgeries.isEmpty { console.print(forgerySummary) }
  }

  private var forgerySummary: String {
    let taken = forgeries.count { $0.isAccepted }
    guard taken > 0 else {
      return "\(forgeries.count) must be refused, and were."
        + (isAsExpected ? "" : " Something else was not taken.")
    }
    return "\(forgeries.count) must be refused, and \(taken) of them were taken: who believes them "
      + "believes anybody."
  }

  private func answer(_ row: Row) -> String {
    let status = row.status.map(String.init) ?? row.failure ?? "-"
    return [status, row.problem?.text].compactMap { $0 }.joined(separator: " ")
  }

  private func cells(_ row: Row) -> [String] {
    [
      [row.type, row.subtype].compactMap { $0 }.joined(separator: "/")
        + (row.attempt > 1 ? ", attempt \(row.attempt)" : ""), row.transactionId ?? "-",
      answer(row), Decimals.one(row.milliseconds),
    ]
  }
}
