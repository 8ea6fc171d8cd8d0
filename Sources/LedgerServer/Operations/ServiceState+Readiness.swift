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
      }
    }
    return .json(writer.bytes, status: failure == nil ? 200 : 503)
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
}
