import AppStoreModel
import LedgerServer

/// States what a product means, in place of the configuration.
struct CatalogPutCommand: Command {
  private let entitlements = Option<[String]>.list(
    "entitlement", "NAME", "What the product grants.")
  private let type = Option<String?>.text(
    "type", "TYPE", "Apple's product type, such as Consumable, until a purchase tells it.")
  private let days = Option<Int?>.number(
    "length-days", in: 1...36_500, "How long a non-renewing subscription lasts.")
  private let credits = Option<Int?>.number(
    "credits", in: 1...1_000_000_000, "What one unit of a consumable fills a balance with.")
  private let unit = Option<String?>.text(
    "credit-unit", "UNIT", "What they are counted in. Default: credits.")
  private let shareable = Option<Bool>.flag(
    "family-shareable", "It can be shared in a family.")
  private let from = Option<String?>.text(
    "from", "TIME", "For purchases from then on. Default: for all.")
  private let file = Option<String?>.text(
    "file", "FILE", "Several entries, each for purchases from a moment on: {\"entries\":[…]}.")

  var usage: Usage {
    Usage(
      "catalog put", "State what a product grants, in place of the configuration.",
      discussion: """
        It is all there is to say of the product, counts at once and in both environments, and until \
        'catalog withdraw' gives the word back to the configuration. What was bought before is \
        answered anew.
        """,
      operands: [CatalogSubject.product],
      options: [ConfigurationFile.option, Reach.app] + content + [file, Option<Bool>.json],
      example: "clawback catalog put com.example.app.pro --entitlement pro",
      exitCodes: [(.success, "It counts now."), (.failure, "It does not, for the reason shown.")])
  }

  private var content: [any Parameter] {
    [entitlements, type, days, credits, unit, shareable, from]
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let product = arguments[CatalogSubject.product]
    let entries: [JSONValue]
    let entry = try entry(arguments)
    if let path = arguments[file] {
      guard entry.isEmpty else { throw UsageError.notTogether("--file", "what it states") }
      entries = try CatalogSubject.entries(path)
    } else {
      guard !arguments[entitlements].isEmpty || arguments[credits] != nil else {
        throw UsageError.missingOption("--entitlement, --credits or --file")
      }
      let names = arguments[entitlements].map { JSONValue.string($0) }
      entries = [.object([.init("entitlements", .array(names))] + entry)]
    }
    let answer = try CatalogSubject(arguments, "products", product)
      .ask("PUT", body: [.init("entries", .array(entries))])
    return console.tell(
      answer, asJSON: arguments[Option<Bool>.json], done: "It counts for \(product) from now on.",
      before: "The same counted for \(product) before.")
  }

  /// What is stated beside the entitlements.
  private func entry(_ arguments: Arguments) throws(UsageError) -> [JSONValue.Member] {
    let start = try arguments[from].map { (text) throws(UsageError) in
      try Moment.read(text, for: "--from")
    }
    if arguments[unit] != nil, arguments[credits] == nil {
      throw .needs("--credit-unit", "--credits")
    }
    let stated: [(String, JSONValue?)] = [
      ("type", arguments[type].map { .string($0) }),
      ("lengthDays", arguments[days].map { .integer(Int64($0)) }),
      ("creditsPerUnit", arguments[credits].map { .integer(Int64($0)) }),
      ("creditUnit", arguments[unit].map { .string($0) }),
      ("familyShareable", arguments[shareable] ? .bool(true) : nil),
      ("effectiveFromMs", start.map { .integer($0.millisecondsSince1970) }),
    ]
    return stated.compactMap { name, value in value.map { .init(name, $0) } }
  }
}
