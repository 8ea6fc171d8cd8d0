import AppStoreModel
import JSON5

/// Reads steps, and knows what they may speak of.
struct StepReader {
  let catalog: [SimulatedProduct]
  /// Absent when anybody may come.
  let customers: [String]?

  /// What `as` called purchases so far.
  private var labels: Set<String> = []

  init(catalog: [SimulatedProduct], customers: [String]?) {
    self.catalog = catalog
    self.customers = customers
  }

  private static let always = ["after", "at", "with", "forged", "late", "note"]

  mutating func read(_ object: JSON5Object) throws(JSON5Error) -> Step {
    let verb = try verb(object)
    try object.allow(only: [verb.name] + verb.members + Self.always)
    if let label = try object.string("as"), !labels.insert(label).inserted {
      throw object.refusal("as", "an earlier step calls its purchase \(label)")
    }
    return Step(
      place: object.place(of: verb.name), moment: try moment(object),
      deed: try verb.read(object, self), alterations: try alterations(object),
      forgery: try object.choice(
        "forged", Dictionary(uniqueKeysWithValues: Forgery.allCases.map { ($0.rawValue, $0) })),
      delay: try object.span("late") ?? .zero)
  }

  private func verb(_ object: JSON5Object) throws(JSON5Error) -> StepVerb {
    let known = StepVerb.all.filter { object.names.contains($0.name) }
    if known.count == 1 { return known[0] }
    let names = StepVerb.all.map(\.name)
    if known.isEmpty {
      for word in object.names {
        guard let meant = Self.meant[word] else { continue }
        throw JSON5Error(
          place: object.place(of: word), path: object.path,
          problem: "no step is named \(word); \(meant) does that")
      }
      try object.allow(only: names + Self.always)
      throw JSON5Error(
        place: object.place, path: object.path,
        problem: "a step does one of: " + names.joined(separator: ", "))
    }
    let both = known.map(\.name).joined(separator: " and ")
    throw JSON5Error(
      place: object.place(of: known[1].name), path: object.path,
      problem: "a step does one thing, and this one does \(both)")
  }

  /// What others call a step.
  private static let meant = [
    "upgrade": "changePlan", "downgrade": "changePlan", "crossgrade": "changePlan",
    "subscribe": "buy", "purchase": "buy", "resubscribe": "buy", "cancel": "turnRenewalOff",
    "revoke": "refund", "travel": "wait", "sleep": "wait",
  ]

  private func moment(_ object: JSON5Object) throws(JSON5Error) -> Step.Moment {
    let after = try object.span("after")
    guard let at = try object.span("at") else { return after.map(Step.Moment.after) ?? .next }
    if after != nil { throw object.refusal("at", "stands beside after: one of them is enough") }
    return .at(at, object.place(of: "at"))
  }

  private func alterations(_ object: JSON5Object) throws(JSON5Error) -> Alterations {
    var alterations = Alterations()
    guard let with = try object.object("with") else { return alterations }
    try with.allow(only: ["notification", "data", "transaction", "renewal"])
    alterations.outer = try with.object("notification").map(\.values) ?? []
    alterations.data = try with.object("data").map(\.values) ?? []
    alterations.transaction = try with.object("transaction").map(\.values) ?? []
    alterations.renewal = try with.object("renewal").map(\.values) ?? []
    return alterations
  }
}

extension StepReader {
  /// A product by its id or by the last part of it.
  func product(_ object: JSON5Object, _ name: String) throws(JSON5Error) -> SimulatedProduct {
    let word = try object.required(name, object.string(name))
    if let product = catalog.first(where: { $0.id == word }) { return product }
    let named = catalog.filter { $0.shortName == word }
    if named.count == 1 { return named[0] }
    let known = catalog.map(\.shortName).joined(separator: ", ")
    throw object.refusal(
      name,
      catalog.isEmpty
        ? "nothing is for sale here" : "nothing named \(word) is for sale; there are \(known)")
  }

  func customer(_ object: JSON5Object, _ name: String) throws(JSON5Error) -> String {
    let word = try object.required(name, object.string(name))
    guard let customers, !customers.contains(word) else { return word }
    throw object.refusal(
      name, "no customer is named \(word); there are " + customers.joined(separator: ", "))
  }

  func purchase(
    _ object: JSON5Object, _ name: String
  ) throws(JSON5Error) -> PurchaseReference {
    let word = try object.required(name, object.string(name))
    guard let reference = PurchaseReference(word) else {
      throw object.refusal(name, "expected a purchase such as ada.pro or ada.pro#2, found \(word)")
    }
    return reference
  }

  /// An offer of a product, by its id, or by its type where it has no id.
  func offer(
    _ object: JSON5Object, _ name: String, of product: SimulatedProduct?
  ) throws(JSON5Error) -> SimulatedOffer? {
    guard let word = try object.string(name) else { return nil }
    let offers = product?.offers ?? catalog.flatMap(\.offers)
    if let offer = offers.first(where: { $0.word == word }) { return offer }
    let known = offers.map(\.word).joined(separator: ", ")
    throw object.refusal(
      name, offers.isEmpty ? "there are no offers" : "no offer is named \(word); there are \(known)"
    )
  }

  /// Whether the file says when the step happens.
  static func isTimed(_ object: JSON5Object) -> Bool {
    object.names.contains("after") || object.names.contains("at")
  }
}

extension SimulatedOffer {
  /// What a scenario calls it.
  fileprivate var word: String { identifier ?? "introductory" }
}
