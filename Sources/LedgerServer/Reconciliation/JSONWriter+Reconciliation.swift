import AppStoreModel
import EntitlementLedger
import LedgerStorage

extension JSONWriter {
  /// A notification that was missed.
  mutating func gap(_ gap: NotificationGap) {
    object { writer in
      writer.member("position", gap.position)
      writer.member("app", gap.scope.bundleId)
      writer.member("environment", gap.scope.environment.rawValue)
      writer.member("notificationUUID", gap.notificationUUID)
      writer.member("type", gap.type)
      writer.member("subtype", gap.subtype)
      writer.member("signedAtMs", gap.signedDate?.millisecondsSince1970)
      writer.member("originalTransactionId", gap.originalTransactionId)
      writer.member("transactionId", gap.transactionId)
      writer.member("reason", gap.reason.rawValue)
      writer.member("detail", gap.detail)
      writer.member("isStored", gap.factID != nil)
      writer.member("foundAtMs", gap.foundAt.millisecondsSince1970)
      writer.member("arrivedAtMs", gap.arrivedAt?.millisecondsSince1970)
      writer.name("sendAttempts")
      writer.array { writer in
        for attempt in gap.attempts {
          writer.object { writer in
            writer.member("attemptedAtMs", attempt.date?.millisecondsSince1970)
            writer.member("result", attempt.result)
          }
        }
      }
    }
  }

  /// How much was compared with Apple, in one app and environment.
  mutating func coverage(_ coverage: Coverage, _ progress: ReconciliationProgress?) {
    object { writer in
      writer.member("app", coverage.scope.bundleId)
      writer.member("environment", coverage.scope.environment.rawValue)
      writer.member("asOfMs", coverage.asOf.millisecondsSince1970)
      writer.member("isAsked", progress != nil)
      writer.member("trouble", progress?.trouble)
      writer.member("chains", coverage.chains)
      writer.member("chainsWithAPICopy", coverage.chainsWithAPICopy)
      writer.member("gaps", coverage.gaps)
      writer.member("refundHistories", coverage.refundHistories)
      writer.name("waiting")
      writer.array { writer in for waiting in coverage.waiting { writer.waiting(waiting) } }
      writer.name("walks")
      writer.array { writer in for walk in coverage.walks { writer.walk(walk, coverage) } }
      writer.name("products")
      writer.array { writer in for product in coverage.products { writer.product(product) } }
    }
  }

  private mutating func product(_ product: SignalledProduct) {
    object { writer in
      writer.member("productId", product.productId)
      writer.member("purchases", product.purchases)
      writer.member("isNotified", product.isNotified)
      writer.member("isAsked", product.isAsked)
      writer.member("isSilent", product.isSilent)
    }
  }

  private mutating func waiting(_ waiting: Coverage.Waiting) {
    object { writer in
      writer.member("reason", waiting.rank.description)
      writer.member("chains", waiting.chains)
      writer.member("due", waiting.due)
      writer.member("earliestDueMs", waiting.earliestDue?.millisecondsSince1970)
      writer.member("failed", waiting.failed)
      writer.member("notFound", waiting.notFound)
    }
  }

  private mutating func walk(_ walk: Walk, _ coverage: Coverage) {
    object { writer in
      writer.member("walk", walk.kind.rawValue)
      if let leg = walk.underway {
        writer.member("begunAtMs", leg.begunAt.millisecondsSince1970)
        writer.member("steps", leg.steps)
        if walk.kind == .rest { writer.member("chainsPassed", coverage.passed) }
      }
      writer.member("coveredFromMs", walk.coveredFrom?.millisecondsSince1970)
      writer.member("coveredUntilMs", walk.coveredUntil?.millisecondsSince1970)
      writer.member("lastFinishedAtMs", walk.lastFinishedAt?.millisecondsSince1970)
      writer.member("lastSteps", walk.lastSteps)
      writer.member("cycleMs", walk.cycleTime?.milliseconds)
    }
  }

  mutating func progress(_ progress: ReconciliationProgress) {
    object { writer in
      writer.member("app", progress.scope.bundleId)
      writer.member("environment", progress.scope.environment.rawValue)
      writer.member("isFinished", progress.isFinished)
      writer.member("done", progress.done)
      writer.member("total", progress.total)
      writer.member("pages", progress.pages)
      writer.member("asked", progress.asked)
      writer.member("refundHistories", progress.refundHistories)
      writer.member("gaps", progress.gaps)
      writer.member("notFound", progress.notFound)
      writer.member("failed", progress.failed)
      writer.member("remainingMs", progress.remaining.milliseconds)
      writer.member("trouble", progress.trouble)
      writer.member("advice", progress.advice)
    }
  }
}

extension Walk {
  /// How long the last round took.
  var cycleTime: TimeSpan? {
    guard let begun = lastBegunAt, let finished = lastFinishedAt else { return nil }
    return finished.span(since: begun)
  }
}
