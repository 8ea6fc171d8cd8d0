package import AppStoreModel
import EntitlementLedger

extension JSONWriter {
  /// A case with its requests, as events and lists show it.
  package mutating func refundCase(_ stored: StoredCase, at now: Timestamp) {
    let refundCase = stored.refundCase
    object { writer in
      writer.member("id", stored.position)
      writer.member("transactionId", refundCase.transactionId)
      writer.member("originalTransactionId", stored.originalTransactionId)
      writer.member("productId", stored.productId)
      writer.member("customer", stored.customer?.text)
      writer.member("app", refundCase.scope.bundleId)
      writer.member("environment", refundCase.scope.environment.rawValue)
      writer.standing(refundCase.standing(at: now))
      writer.member("openedAtMs", stored.openedAt.millisecondsSince1970)
      writer.member("deadlineAtMs", refundCase.deadline?.millisecondsSince1970)
      writer.member("verdict", refundCase.verdict?.kind.rawValue)
      writer.member("verdictAtMs", refundCase.verdict?.at.millisecondsSince1970)
      writer.name("requests")
      writer.array { writer in
        for request in refundCase.requests { writer.consumptionRequest(request) }
      }
    }
  }

  private mutating func standing(_ standing: RefundCase.Standing) {
    member("state", standing.word)
    if case .withheld(let reason) = standing { member("withheldBecause", reason.rawValue) }
  }

  private mutating func consumptionRequest(_ request: ConsumptionRequest) {
    object { writer in
      writer.member("notificationUUID", request.notificationUUID)
      writer.member("reason", request.question.reason?.rawValue)
      writer.member("askedAtMs", request.askedAt.millisecondsSince1970)
      writer.member("receivedAtMs", request.receivedAt.millisecondsSince1970)
      writer.member("progress", request.progress.word)
      if case .withheld(let reason) = request.progress {
        writer.member("withheldBecause", reason.rawValue)
      }
      guard let attempt = request.attempt else { return }
      writer.name("answer")
      writer.answer(attempt)
    }
  }

  private mutating func answer(_ attempt: AnswerAttempt) {
    object { writer in
      writer.member("attempts", Int64(attempt.count))
      writer.member("sentAtMs", attempt.at.millisecondsSince1970)
      writer.member("version", Int64(attempt.version))
      if !attempt.body.isEmpty {
        writer.name("body")
        writer.raw(attempt.body.utf8)
      }
      writer.member("status", attempt.status.map { Int64($0) })
      writer.member("errorCode", attempt.errorCode)
      writer.member("errorText", attempt.errorText)
    }
  }
}
