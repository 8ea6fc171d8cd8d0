import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

extension ServiceState {
  /// 200 while requests can be answered, with what the operator should look at; else 503.
  func readiness() -> HTTPResponse {
    let failure = storeFailure()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("ready", failure == nil)
      writer.member("realm", ledger.realm.description)
      writer.name("warnings")
      writer.array { writer in
        if let failure { writer.warning(of: failure) }
        if let rule = metrics.wrongOrigin(at: clock.now()) { writer.wrongOrigin(rule) }
        for progress in reconciliation?.progress ?? [] { writer.trouble(of: progress) }
        for outlet in deliveries?.outlets ?? [] { writer.trouble(of: outlet) }
      }
      writer.name("notes")
      writer.array { writer in
        for app in reconciliation?.appsWithoutKey ?? [] { writer.missingKey(of: app) }
        for (scope, productId) in unmappedProducts { writer.unmapped(productId, in: scope) }
      }
    }
    return .json(writer.bytes, status: failure == nil ? 200 : 503)
  }

  /// What was bought and grants nothing, since the catalog does not say what; none where nothing can be read.
  var unmappedProducts: [(scope: Scope, productId: String)] {
    guard !watch.isHanging else { return [] }
    let found = try? readers.read { [clock] (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.unmappedProducts(at: clock.now())
      }
    }
    return found ?? []
  }

  /// Why nothing can be read or kept at the moment.
  private func storeFailure() -> Problem? {
    if watch.isHanging { return .storeHangs }
    do throws(StoreError) {
      try ledger.store.check()
    } catch {
      return Problem(.storeUnavailable, "\(error). \(error.advice)")
    }
    do throws(Problem) {
      _ = try readers.read { (reader) throws(StoreError) in try reader.counts() }
      return nil
    } catch {
      return error
    }
  }
}

extension JSONWriter {
  fileprivate mutating func warning(of failure: Problem) {
    object { writer in
      writer.member("code", failure.code.rawValue)
      writer.member("detail", failure.detail)
    }
  }

  fileprivate mutating func wrongOrigin(_ rule: String) {
    object { writer in
      writer.member("code", "configurationRefuses")
      writer.member("rule", rule)
      writer.member(
        "detail",
        "Signed data of a trusted root was refused by this rule: compare apps and "
          + "environments in the configuration. clawback quarantine list shows it.")
    }
  }

  /// That Apple cannot be asked at the moment, or answers what cannot be used.
  fileprivate mutating func trouble(of progress: ReconciliationProgress) {
    guard let trouble = progress.trouble else { return }
    object { writer in
      writer.member("code", progress.isAnswerUnusable ? "answerUnusable" : "appleNotAsked")
      writer.member("app", progress.scope.bundleId)
      writer.member("environment", progress.scope.environment.rawValue)
      writer.member("detail", trouble)
    }
  }

  fileprivate mutating func missingKey(of bundleId: String) {
    object { writer in
      writer.member("code", "reconciliationOff")
      writer.member("app", bundleId)
      writer.member(
        "detail",
        "Without appStoreConnect in the configuration Apple is not asked about this app: what "
          + "was missed stays missed.")
    }
  }

  /// That customers bought something and get nothing for it.
  fileprivate mutating func unmapped(_ productId: String, in scope: Scope) {
    object { writer in
      writer.member("code", "unmappedProduct")
      writer.member("app", scope.bundleId)
      writer.member("environment", scope.environment.rawValue)
      writer.member("productId", productId)
      writer.member(
        "detail",
        "It was bought, and the catalog does not say what it grants: 'clawback catalog put' or "
          + "apps[].products of the configuration does.")
    }
  }
}
