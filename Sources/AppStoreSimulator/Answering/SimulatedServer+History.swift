import AppStoreModel

extension SimulatedServer {
  func history(_ call: APICall, leavesOutFinished: Bool = false) throws(APIError) -> APIAnswer {
    let (store, customer) = try owner(call)
    let filter = try HistoryFilter(call)
    let last = try filter.lastRevision(call)
    let all = store.history(of: customer).filter {
      filter.takes($0.payload)
        && !(leavesOutFinished && $0.isFinished && $0.payload.type == .consumable)
    }
    let ordered = filter.isDescending ? all.reversed() : all
    let rest = ordered.filter { transaction in
      guard let last else { return true }
      return filter.isDescending ? transaction.revision < last : transaction.revision > last
    }
    let page = rest.prefix(switches.pageSize)
    let reached = page.last?.revision ?? last ?? 0
    return .json { writer in
      writer.member("revision", PageToken("history", String(reached)).text)
      writer.member("hasMore", rest.count > page.count)
      writer.member("bundleId", store.app.bundleId)
      writer.member("appAppleId", store.app.appAppleId)
      writer.member("environment", store.app.environment.rawValue)
      writer.strings("signedTransactions", page.map { signed($0, at: call.moment) })
    }
  }

  func refundHistory(_ call: APICall) throws(APIError) -> APIAnswer {
    let (store, customer) = try owner(call)
    var last: RefundPlace?
    if let text = call.request["revision"] {
      last = try RefundPlace(revision: text)
    }
    let rest = refunds(of: customer, in: store).filter {
      last.map($0.place.isAfter) ?? true
    }
    let page = rest.prefix(switches.pageSize)
    let reached = page.last?.place ?? last ?? RefundPlace(date: 0, transactionId: "0")
    return .json { writer in
      writer.strings("signedTransactions", page.map { signed($0.transaction, at: call.moment) })
      writer.member("revision", reached.revision)
      writer.member("hasMore", rest.count > page.count)
    }
  }

  func refundHistoryV1(_ call: APICall) throws(APIError) -> APIAnswer {
    let (store, customer) = try owner(call, or: .originalTransactionIdNotFound)
    let page = refunds(of: customer, in: store).prefix(50)
    return .json { writer in
      writer.strings("signedTransactions", page.map { signed($0.transaction, at: call.moment) })
    }
  }

  private func refunds(
    of customer: Customer, in store: SimulatedAppStore
  ) -> [(place: RefundPlace, transaction: SimulatedTransaction)] {
    store.history(of: customer).filter { $0.payload.isRefunded }
      .map { transaction in
        let payload = transaction.payload
        let date = payload.revocationDate ?? payload.lastItemRefund ?? transaction.modifiedAt
        let place = RefundPlace(
          date: date.millisecondsSince1970, transactionId: payload.transactionId ?? "")
        return (place, transaction)
      }
      .sorted { $1.place.isAfter($0.place) }
  }
}

/// Where a refund stands in a customer's list, which goes by date.
private struct RefundPlace {
  let date: Int64
  let transactionId: String

  init(date: Int64, transactionId: String) {
    self.date = date
    self.transactionId = transactionId
  }

  init(revision: String) throws(APIError) {
    guard let parts = PageToken.parts(of: revision, "refunds", count: 2),
      let date = Int64(parts[0])
    else { throw .invalidRevision }
    self.init(date: date, transactionId: parts[1])
  }

  var revision: String { PageToken("refunds", String(date), transactionId).text }

  func isAfter(_ other: RefundPlace) -> Bool {
    (date, transactionId) > (other.date, other.transactionId)
  }
}

extension JWSTransactionDecodedPayload {
  /// When money of one of its items went back last; Advanced Commerce only.
  var lastItemRefund: Timestamp? {
    advancedCommerceInfo?.items?.flatMap { $0.refunds ?? [] }.compactMap(\.refundDate).max()
  }
}

extension JSONWriter {
  mutating func strings(_ name: String, _ texts: [String]) {
    self.name(name)
    array { writer in
      for text in texts { writer.string(text) }
    }
  }
}
