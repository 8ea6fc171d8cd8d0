import AppStoreModel

extension SimulatedServer {
  mutating func notificationHistory(_ call: APICall) throws(APIError) -> APIAnswer {
    guard let shelf = shelves[call.environment] else { throw .transactionIdNotFound }
    let filter = try NotificationFilter(call, shelf)
    let place = try place(call)
    let listed = shelf.outbox.notifications.enumerated().filter { index, outgoing in
      index >= place && !outgoing.isCopy && !outgoing.attempts.isEmpty && filter.takes(outgoing)
    }
    let page = listed.prefix(switches.pageSize)
    let hasMore = listed.count > page.count
    let next = PageToken(
      "notifications", String((page.last?.offset ?? 0) + 1),
      String(call.moment.adding(switches.tokenLife).millisecondsSince1970),
      Self.fingerprint(call.request.body))
    return .json { writer in
      writer.name("notificationHistory")
      writer.array { writer in
        for (_, outgoing) in page { write(outgoing, &writer) }
      }
      writer.member("hasMore", hasMore)
      if hasMore { writer.member("paginationToken", next.text) }
    }
  }

  /// From where on the caller wants notifications.
  private func place(_ call: APICall) throws(APIError) -> Int {
    guard let text = call.request["paginationToken"] else { return 0 }
    guard let parts = PageToken.parts(of: text, "notifications", count: 3),
      let place = Int(parts[0]), let end = Int64(parts[1]),
      parts[2] == Self.fingerprint(call.request.body)
    else { throw .invalidPaginationToken }
    guard call.moment.millisecondsSince1970 < end else { throw .paginationTokenExpired }
    return place
  }

  /// Pages belong together only while the body stays the same.
  private static func fingerprint(_ body: [UInt8]) -> String {
    Hexadecimal.text(Digest.sha256.hash(body).prefix(8).map { $0 })
  }

  private func write(_ outgoing: OutgoingNotification, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("signedPayload", signer.sign(outgoing.notification))
      Self.write(outgoing.attempts, &writer)
    }
  }

  static func write(_ attempts: [SendAttempt], _ writer: inout JSONWriter) {
    writer.name("sendAttempts")
    writer.array { writer in
      for attempt in attempts {
        writer.object { writer in
          writer.member("attemptDate", attempt.date.millisecondsSince1970)
          writer.member("sendAttemptResult", attempt.result.rawValue)
        }
      }
    }
  }

  // MARK: Test notifications

  mutating func requestTest(_ call: APICall) throws(APIError) -> APIAnswer {
    guard hasReceiver else { throw .notificationURLNotFound }
    change(call) { (store, now) throws(StoreRefusal) in store.sendTest(at: now) }
    guard let shelf = shelves[call.environment],
      let uuid = shelf.store.notifications.last?.payload.notificationUUID
    else { throw .notificationURLNotFound }
    let token = "\(uuid)_\(call.moment.millisecondsSince1970)"
    shelves[call.environment]?.tests[token] = uuid
    return .json { $0.member("testNotificationToken", token) }
  }

  func testStatus(_ call: APICall) throws(APIError) -> APIAnswer {
    let parts = call.id.split(separator: "_")
    guard parts.count == 2, Self.isUUID(String(parts[0])), Int64(parts[1]) != nil else {
      throw .invalidTestToken
    }
    guard let shelf = shelves[call.environment], let uuid = shelf.tests[call.id],
      let outgoing = shelf.outbox.notification(uuid), !outgoing.attempts.isEmpty
    else { throw .testNotificationNotFound }
    return .json { writer in
      writer.member("signedPayload", signer.sign(outgoing.notification))
      Self.write(outgoing.attempts, &writer)
    }
  }
}
