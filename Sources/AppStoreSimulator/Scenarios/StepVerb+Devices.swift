import AppStoreModel
import JSON5

extension StepVerb {
  /// What becomes of a customer's device: the App Store's notifications know nothing of it.
  static let devices = [
    device("closeApp") { $0.isOpen = false },
    device("openApp") { $0.isOpen = true },
    device("goOffline") { $0.isOnline = false },
    device("comeOnline") { $0.isOnline = true },
  ]

  private static func device(
    _ name: String, _ body: @escaping @Sendable (inout DeviceHabits) -> Void
  ) -> StepVerb {
    StepVerb(name) { (step, reader) throws(JSON5Error) in
      let owner = try reader.customer(step, name)
      return { (stage: inout Stage) throws(StoreRefusal) in
        let customer = stage.customer(owner)
        stage.changeHabits(of: customer, body)
      }
    }
  }
}
