import AppStoreModel
import JSON5

extension Scenario {
  /// Reads a scenario file.
  ///
  /// - Parameters:
  ///   - json5: the file's bytes.
  ///   - name: what to call it.
  ///   - catalog: reads a `.storekit` file that the scenario names, absent for one that is not there.
  /// - Throws: ``ScenarioFailure/unreadable(_:)`` with the line of what has no meaning.
  package init(
    json5: [UInt8], name: String, catalog: (String) -> [UInt8]? = { _ in nil }
  ) throws(ScenarioFailure) {
    do throws(JSON5Error) {
      try self.init(JSON5Object(JSON5Value(text: json5)), name, catalog)
    } catch {
      throw ScenarioFailure.unreadable(error)
    }
  }

  private init(
    _ file: JSON5Object, _ name: String, _ catalog: (String) -> [UInt8]?
  ) throws(JSON5Error) {
    try file.allow(
      only: [
        "title", "catalog", "products", "environment", "grace", "customers", "steps", "faults",
      ])
    try file.refuseEmptyTexts(but: "with")
    let products = try Self.products(file, catalog)
    let customers = try Self.customers(file)
    var reader = StepReader(catalog: products, customers: customers?.map(\.name))
    var steps: [Step] = []
    for step in try file.required("steps", try file.objects("steps")) {
      steps.append(try reader.read(step))
    }
    self.init(
      name: name, title: try file.string("title") ?? name, catalog: products,
      policy: StorePolicy(grace: try file.span("grace")),
      environment: try file.choice(
        "environment", ["sandbox": AppStoreEnvironment.sandbox, "production": .production]),
      faults: try PlannedFaults(file.object("faults")), customers: customers ?? [], steps: steps)
  }

  private static func products(
    _ file: JSON5Object, _ catalog: (String) -> [UInt8]?
  ) throws(JSON5Error) -> [SimulatedProduct] {
    var products = try file.objects("products")?.map {
      (product) throws(JSON5Error) in try SimulatedProduct(product)
    }
    if let path = try file.string("catalog") {
      guard let bytes = catalog(path) else {
        throw file.refusal("catalog", "there is no file \(path) beside this one")
      }
      do throws(JSON5Error) {
        products = (products ?? []) + (try StoreKitCatalog.products(bytes))
      } catch {
        throw file.refusal("catalog", "in \(path), \(error)")
      }
    }
    var ids: Set<String> = []
    for product in products ?? [] where !ids.insert(product.id).inserted {
      let setting = file.names.contains("products") ? "products" : "catalog"
      throw file.refusal(setting, "two products have the id \(product.id)")
    }
    return products ?? SimulatedProduct.all
  }

  private static func customers(
    _ file: JSON5Object
  ) throws(JSON5Error) -> [PlannedCustomer]? {
    guard let people = try file.object("customers") else { return nil }
    return try people.names.map { (name) throws(JSON5Error) in
      guard !name.isEmpty else { throw people.refusal(name, "a customer has a name") }
      var customer = PlannedCustomer(name: name)
      guard let plan = try people.object(name) else { return customer }
      try plan.allow(only: ["token", "family", "storefront"])
      customer.hasToken = try plan.bool("token") ?? true
      customer.family = try plan.string("family")
      if let code = try plan.string("storefront") {
        guard let storefront = Storefront(code: code) else {
          let known = Storefront.codes.joined(separator: ", ")
          throw plan.refusal("storefront", "expected one of \(known), found \(code)")
        }
        customer.storefront = storefront
      }
      return customer
    }
  }
}

extension PlannedFaults {
  fileprivate init(_ file: JSON5Object?) throws(JSON5Error) {
    self.init()
    guard let file else { return }
    try file.allow(only: ["outages", "duplicate", "drop", "delay", "delayUpTo", "resign", "calls"])
    for outage in try file.objects("outages") ?? [] {
      try outage.allow(only: ["at", "for"])
      outages.append(
        Outage(
          start: try outage.required("at", outage.span("at")),
          length: try outage.required("for", outage.span("for"))))
    }
    duplicatedPerMille = Int(try file.integer("duplicate", in: 0...1_000) ?? 0)
    droppedPerMille = Int(try file.integer("drop", in: 0...1_000) ?? 0)
    delayedPerMille = Int(try file.integer("delay", in: 0...1_000) ?? 0)
    greatestDelay = try file.span("delayUpTo") ?? greatestDelay
    resignsRetries = try file.bool("resign") ?? false
    for call in try file.objects("calls") ?? [] {
      try call.allow(only: ["endpoint", "code", "times"])
      let endpoint = try call.required("endpoint", call.string("endpoint"))
      guard APIEndpoint(word: endpoint) != nil else {
        throw call.refusal(
          "endpoint", "expected one of \(APIEndpoint.words), found \(endpoint)")
      }
      calls.append(
        CallFault(
          endpoint: endpoint,
          errorCode: try call.required("code", call.integer("code", in: 4_000_000...5_999_999)),
          times: Int(try call.integer("times", in: 1...1_000) ?? 1)))
    }
  }
}
