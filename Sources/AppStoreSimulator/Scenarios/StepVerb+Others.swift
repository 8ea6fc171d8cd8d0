import AppStoreModel
import JSON5

extension StepVerb {
  static let others = [
    StepVerb("test") { (step, _) throws(JSON5Error) in
      guard try step.bool("test") == true else { throw step.refusal("test", "expected true") }
      return { (stage: inout Stage) throws(StoreRefusal) in
        stage.store.sendTest(at: stage.now)
      }
    },
    StepVerb("rescindConsent") { (step, reader) throws(JSON5Error) in
      let name = try reader.customer(step, "rescindConsent")
      return { (stage: inout Stage) throws(StoreRefusal) in
        let customer = stage.customer(name)
        stage.store.rescindConsent(for: customer, at: stage.now)
      }
    },
    StepVerb("externalToken", ["id", "tokenType"]) { (step, _) throws(JSON5Error) in
      let word = try step.required("externalToken", step.string("externalToken"))
      let id = try step.string("id")
      let type = try step.string("tokenType").map { ExternalPurchaseTokenType(rawValue: $0) }
      return { (stage: inout Stage) throws(StoreRefusal) in
        stage.store.sendToken(
          NotificationSubtype(rawValue: word), id: id, type: type, at: stage.now)
      }
    },
    StepVerb("say", ["subtype", "about"]) { (step, reader) throws(JSON5Error) in
      let type = NotificationType(rawValue: try step.required("say", step.string("say")))
      let subtype = try step.string("subtype").map { NotificationSubtype(rawValue: $0) }
      let purchase = try step.string("about") == nil ? nil : try reader.purchase(step, "about")
      return { (stage: inout Stage) throws(StoreRefusal) in
        var id: String?
        if let purchase { id = try stage.transaction(purchase) }
        try stage.store.say(type, subtype, about: id, at: stage.now)
      }
    },
    StepVerb("sendAgain") { (step, _) throws(JSON5Error) in
      let word = try step.required("sendAgain", step.string("sendAgain"))
      return { (stage: inout Stage) throws(StoreRefusal) in
        guard let index = stage.store.notifications.lastIndex(where: { $0.title == word }) else {
          throw .neverSaid(word)
        }
        stage.store.sendAgain(index)
      }
    },
    StepVerb("live") { (step, _) throws(JSON5Error) in
      let span = try step.required("live", step.span("live"))
      return { (stage: inout Stage) throws(StoreRefusal) in try stage.live(span) }
    },
    StepVerb("wait") { (step, _) throws(JSON5Error) in
      let span = try step.required("wait", step.span("wait"))
      return { (stage: inout Stage) throws(StoreRefusal) in stage.wait(span) }
    },
  ]
}
