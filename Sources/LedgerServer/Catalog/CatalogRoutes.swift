import AppStoreModel
import EntitlementLedger
import HTTPListener
import JSON5
import LedgerStorage

/// What products mean and how doubt is treated: the configuration says it first, and statements made
/// here count in its place until they are withdrawn.
struct CatalogRoutes {
  private static let product = "/v1/apps/{bundleId}/products/{productId}"
  private static let policy = "/v1/apps/{bundleId}/policy"
  private static let productShape = BodyShape.object([
    "entries": .list(
      of: .members(
        "entitlements", "type", "lengthDays", "creditsPerUnit", "creditUnit", "familyShareable",
        "effectiveFromMs"))
  ])
  private static let policyShape = BodyShape.object([
    "entries": .list(
      of: .members(
        "renewalLeewayMinutes", "unknownCustomer", "spentCredits", "effectiveFromMs"))
  ])

  let configuration: Configuration
  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock
  /// Whether an answer waits until the balances are filled that a statement fills.
  var answersWhenFilled = false
  /// Told what kept them from being filled.
  var noteUnfilled: @Sendable (StoreError) -> Void = { _ in }

  var routes: [Route] {
    [
      Route.get(Self.product, .readers) { [self] call throws(Problem) in
        try page(try productKey(call))
      },
      Route.write("PUT", Self.product, .administrators, Self.productShape) {
        [self] call, completion throws(Problem) in
        let key = try productKey(call)
        try state(try Self.catalog(call, call["productId"]), about: key, call, completion)
      },
      Route.write("DELETE", Self.product, .administrators, .none) {
        [self] call, completion throws(Problem) in
        try state(.withdrawn, about: try productKey(call), call, completion)
      },
      Route.get(Self.policy, .readers) { [self] call throws(Problem) in
        try page(try policyKey(call))
      },
      Route.write("PUT", Self.policy, .administrators, Self.policyShape) {
        [self] call, completion throws(Problem) in
        try state(try Self.policy(call), about: try policyKey(call), call, completion)
      },
      Route.write("DELETE", Self.policy, .administrators, .none) {
        [self] call, completion throws(Problem) in
        try state(.withdrawn, about: try policyKey(call), call, completion)
      },
    ]
  }

  private func productKey(_ call: Call) throws(Problem) -> StatedRules.Key {
    let app = try call.app(of: configuration)
    guard StatedText.isName(call["productId"]) else {
      throw Problem(
        .badParameter, "A product has an id of 1 to 255 bytes without control characters.")
    }
    return StatedRules.Key(bundleId: app.bundleId, subject: .product(call["productId"]))
  }

  private func policyKey(_ call: Call) throws(Problem) -> StatedRules.Key {
    StatedRules.Key(bundleId: try call.app(of: configuration).bundleId, subject: .policy)
  }

  private func page(_ key: StatedRules.Key) throws(Problem) -> HTTPResponse {
    let page = try CatalogPage(key, in: readers)
    guard !page.isUnknown else { throw Problem(.unknownProduct) }
    return .json(page.json)
  }

  private func state(
    _ content: StatedRules.Content, about key: StatedRules.Key, _ call: Call,
    _ completion: @escaping Route.Completion
  ) throws(Problem) {
    // Both environments share a catalog: who may touch the sandbox alone does not change production.
    guard call.key?.environment == .production || !configuration.environments.contains(.production)
    else { throw Problem(.environmentForbidden, "A catalog counts in Production too.") }
    let now = clock.now()
    let statement = StatedRules.Statement(
      content: content, statedBy: call.key?.name, statedAt: now)
    ledger.state(statement, about: key) { [self] result in
      switch result {
      case .failure(let error): completion(.failure(Problem(error)))
      case .success(let isChanged):
        let answer = HTTPResponse.json(Array(#"{"changed":\#(isChanged)}"#.utf8))
        let fills = isChanged && content.fillsBalances
        if !fills || !answersWhenFilled { completion(.success(answer)) }
        if fills { fillLots(now) { if answersWhenFilled { completion(.success(answer)) } } }
      }
    }
  }

  /// Consumables that were bought before fill their lots now; what is left of it the next start does.
  private func fillLots(_ now: Timestamp, _ done: @escaping @Sendable () -> Void) {
    ledger.fillLots(now: now) { [noteUnfilled] result in
      if case .failure(let error) = result { noteUnfilled(error) }
      done()
    }
  }

  /// Shape: `{"entries":[{"entitlements":["pro"],…}]}`, each as in the configuration.
  private static func catalog(
    _ call: Call, _ productId: String
  ) throws(Problem) -> StatedRules.Content {
    let entries = try entries(call) { (file) throws(JSON5Error) in
      try CatalogEntry(file, of: productId)
    }
    try refuseTwins(entries.map(\.effectiveFrom))
    return .catalog(entries)
  }

  private static func policy(_ call: Call) throws(Problem) -> StatedRules.Content {
    let entries = try entries(call) { (file) throws(JSON5Error) in
      try Configuration.policy(file)
    }
    try refuseTwins(entries.map(\.effectiveFrom))
    return .policy(entries)
  }

  /// What is read from a file is read from a request by the same rules.
  private static func entries<Entry>(
    _ call: Call, _ read: (JSON5Object) throws(JSON5Error) -> Entry
  ) throws(Problem) -> [Entry] {
    do throws(JSON5Error) {
      let body = try JSON5Object(JSON5Value(text: call.request.body))
      let objects = try body.required("entries", body.objects("entries"))
      guard !objects.isEmpty, objects.count <= greatestCount else {
        throw body.refusal("entries", "has 1 to \(greatestCount) entries")
      }
      return try objects.map(read)
    } catch {
      throw Problem(.malformedBody, "\(error.path): \(error.problem).")
    }
  }

  private static let greatestCount = 100

  private static func refuseTwins(_ moments: [Timestamp]) throws(Problem) {
    guard Set(moments).count == moments.count else {
      throw Problem(.malformedBody, "Two entries count from the same moment on.")
    }
  }
}
