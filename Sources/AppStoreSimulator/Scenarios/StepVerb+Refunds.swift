import AppStoreModel
import JSON5

extension StepVerb {
  static let refunds = [
    StepVerb("requestRefund", ["because", "inApp"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "requestRefund")
      let reason = try step.choice("because", RefundReasons.byWord)
      let isInApp = try step.bool("inApp") ?? false
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.requestRefund(
          of: try stage.transaction(purchase), because: reason ?? .unsatisfiedWithPurchase,
          inApp: isInApp, at: stage.now)
      }
    },
    StepVerb("answer", ["preference", "consumed", "delivered"]) {
      (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "answer")
      let preferences = ConsumptionAnswer.Preference.allCases.map { ($0.rawValue, $0) }
      let answer = ConsumptionAnswer(
        preference: try step.choice(
          "preference", Dictionary(uniqueKeysWithValues: preferences)),
        consumed: try step.share("consumed"), isDelivered: try step.bool("delivered") ?? true)
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.answerRefundRequest(of: try stage.transaction(purchase), answer)
      }
    },
    StepVerb("decide") { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "decide")
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.decideRefund(of: try stage.transaction(purchase), at: stage.now)
      }
    },
    StepVerb("decline") { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "decline")
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.declineRefund(of: try stage.transaction(purchase), at: stage.now)
      }
    },
    StepVerb("refund", ["part", "because"]) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "refund")
      let part = try step.share("part")
      let reason = try step.choice("because", reasons) ?? .other
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.refund(
          try stage.transaction(purchase), prorated: part, because: reason, at: stage.now)
      }
    },
    StepVerb("reverse") { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, "reverse")
      return { (stage: inout Stage) throws(StoreRefusal) in
        try stage.store.reverseRefund(of: try stage.transaction(purchase), at: stage.now)
      }
    },
  ]

  private static let reasons: [String: RevocationReason] = [
    "app": .developerIssue, "other": .other,
  ]
}
