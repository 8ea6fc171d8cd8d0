import AppStoreModel
import JSON5

/// One thing that a step can do, and how it is read.
struct StepVerb: Sendable {
  typealias Reading =
    @Sendable (JSON5Object, StepReader) throws(JSON5Error) -> Step.Deed

  /// The member that says what is done.
  let name: String
  /// What may stand beside it.
  let members: [String]
  let read: Reading

  init(_ name: String, _ members: [String] = [], _ read: @escaping Reading) {
    self.name = name
    self.members = members
    self.read = read
  }

  static let all =
    purchases + renewals + plans + refunds + sharing + extensions + advancedCommerce + devices
    + others

  /// Something that is done to a chain, whose name is all that has to be said.
  static func chain(
    _ name: String,
    _ body: @escaping @Sendable (inout Stage, String) throws(StoreRefusal) -> Void
  ) -> StepVerb {
    StepVerb(name) { (step, reader) throws(JSON5Error) in
      let purchase = try reader.purchase(step, name)
      return { (stage: inout Stage) throws(StoreRefusal) in
        try body(&stage, try stage.chain(purchase))
      }
    }
  }
}
