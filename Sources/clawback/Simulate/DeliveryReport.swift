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
    let status: Int?
    let failure: String?
    let milliseconds: Double
  }

  let scenario: String
  let seed: UInt64
  let rootFingerprint: String
  let accepted: Int
  let notifications: [Row]

  init(_ performance: Performance, _ deliveries: [Delivery]) {
    scenario = performance.name
    seed = performance.seed
    rootFingerprint = performance.rootFingerprint
    accepted = deliveries.filter(\.isAccepted).count
    notifications = zip(performance.messages, deliveries).map { Self.row($0.notification, $1) }
  }

  private static func row(_ notification: UnsignedNotification?, _ delivery: Delivery) -> Row {
    let payload = notification?.payload ?? ResponseBodyV2DecodedPayload()
    return Row(
      type: payload.notificationType?.rawValue ?? "", subtype: payload.subtype?.rawValue,
      notificationUUID: payload.notificationUUID ?? "",
      signedDate: payload.signedDate?.millisecondsSince1970 ?? 0,
      transactionId: notification?.transaction?.transactionId,
      appAccountToken: notification?.transaction?.appAccountToken, status: delivery.status,
      failure: delivery.failure, milliseconds: delivery.time.milliseconds)
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
  }

  private func cells(_ row: Row) -> [String] {
    [
      [row.type, row.subtype].compactMap { $0 }.joined(separator: "/"), row.transactionId ?? "-",
      row.status.map(String.init) ?? row.failure ?? "-", Decimals.one(row.milliseconds),
    ]
  }
}
