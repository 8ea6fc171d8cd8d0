public import AppStoreServerAPI
import JSON5

extension Configuration {
  /// How Apple is answered when it asks about a purchase that a customer wants money back for.
  public struct ConsumptionPolicy: Hashable, Sendable {
    public enum Answer: String, Hashable, Sendable, CaseIterable {
      /// Nothing is sent.
      case none
      /// The developer would rather keep the money.
      case decline
      /// The developer would rather give it back.
      case grant
      /// The developer would rather give back the part that was not used.
      case prorated
    }

    public var answer = Answer.none
    /// What to say of the delivery where no recorded spend shows that the purchase was used.
    public var delivery: DeliveryStatus?
    /// Whether customers could try before buying; Apple demands it of every answer.
    public var sampleContentProvided = false

    public init() {}
  }

  /// The standing policy of an app, and those of products that differ from it.
  public struct ConsumptionPolicies: Hashable, Sendable {
    public var standing = ConsumptionPolicy()
    public var products: [String: ConsumptionPolicy] = [:]

    public init() {}

    func policy(for productId: String) -> ConsumptionPolicy {
      products[productId] ?? standing
    }
  }
}

extension Configuration {
  var consumptionPolicies: [String: ConsumptionPolicies] {
    Dictionary(apps.map { ($0.bundleId, $0.consumption) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Configuration.ConsumptionPolicies {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: Configuration.ConsumptionPolicy.settings + ["products"])
    let isStated = try file.bool("sampleContentProvided") != nil
    standing = try Configuration.ConsumptionPolicy(file, standing: nil, isSampleStated: isStated)
    for product in try file.objects("products") ?? [] {
      try product.allow(only: Configuration.ConsumptionPolicy.settings + ["productId"])
      let id = try product.required("productId", product.string("productId"))
      guard products[id] == nil else {
        throw product.refusal("productId", "\(id) is named twice")
      }
      products[id] = try Configuration.ConsumptionPolicy(
        product, standing: standing, isSampleStated: isStated)
    }
  }
}

extension Configuration.ConsumptionPolicy {
  fileprivate static let settings = ["answer", "delivery", "sampleContentProvided"]

  /// Reads a policy; what it leaves out is as in the standing one.
  fileprivate init(
    _ file: JSON5Object, standing: Self?, isSampleStated: Bool
  ) throws(JSON5Error) {
    if let standing { self = standing } else { self.init() }
    if let word = try file.string("answer") {
      answer = try Self.choice("answer", word, Answer.allCases, file)
    }
    if let word = try file.string("delivery") {
      delivery = try Self.choice("delivery", word, DeliveryStatus.allCases, file)
    }
    let stated = try file.bool("sampleContentProvided")
    sampleContentProvided = stated ?? sampleContentProvided
    guard answer == .none || isSampleStated || stated != nil else {
      throw file.refusal(
        "sampleContentProvided", "is missing, and Apple demands it of every answer")
    }
  }

  private static func choice<Word: RawRepresentable<String>>(
    _ name: String, _ word: String, _ all: [Word], _ file: JSON5Object
  ) throws(JSON5Error) -> Word {
    if let choice = Word(rawValue: word) { return choice }
    let words = all.map(\.rawValue).joined(separator: ", ")
    throw file.refusal(name, "expected one of \(words), found \"\(word)\"")
  }
}
