import AppStoreModel

extension SimulatedServer {
  func statuses(_ call: APICall) throws(APIError) -> APIAnswer {
    let (store, customer) = try owner(call)
    var wanted: Set<Int64> = []
    for text in call.request.values("status") {
      guard let number = Int64(text), (1...5).contains(number) else { throw .invalidStatus }
      wanted.insert(number)
    }
    let chains = store.subscriptions(of: customer).map { chain in
      (chain: chain, status: Int64(store.status(of: chain, at: call.moment).rawValue))
    }.filter { wanted.isEmpty || wanted.contains($0.status) }
    var groups: [String] = []
    for entry in chains where !groups.contains(entry.chain.group) {
      groups.append(entry.chain.group)
    }
    return .json { writer in
      writer.member("environment", store.app.environment.rawValue)
      writer.member("bundleId", store.app.bundleId)
      writer.member("appAppleId", store.app.appAppleId)
      writer.name("data")
      writer.array { writer in
        for group in groups {
          writer.object { writer in
            writer.member("subscriptionGroupIdentifier", group)
            writer.name("lastTransactions")
            writer.array { writer in
              for entry in chains where entry.chain.group == group {
                write(entry.chain, entry.status, store, call.moment, &writer)
              }
            }
          }
        }
      }
    }
  }

  private func write(
    _ chain: Subscription, _ status: Int64, _ store: SimulatedAppStore, _ moment: Timestamp,
    _ writer: inout JSONWriter
  ) {
    let id = chain.originalTransactionId
    writer.object { writer in
      writer.member("status", status)
      writer.member("originalTransactionId", id)
      writer.member(
        "signedTransactionInfo",
        store.lastTransaction(of: chain, signedAt: moment).map(signer.sign))
      writer.member(
        "signedRenewalInfo", store.renewalInfo(of: id, signedAt: moment).map(signer.sign))
    }
  }

  func lookUpOrder(_ call: APICall) -> APIAnswer {
    let found = visible(call)?.transactions(ofOrder: call.id) ?? []
    return .json { writer in
      writer.member("status", Int64(found.isEmpty ? 1 : 0))
      guard !found.isEmpty else { return }
      writer.strings("signedTransactions", found.map { signed($0, at: call.moment) })
    }
  }
}
