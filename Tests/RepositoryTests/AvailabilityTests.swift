import Testing

/// What the adapter may read without asking for the system: Linux gives no availability errors.
struct AvailabilityTests {
  /// Members of StoreKit that came after iOS 15 and are not back-deployed, with the system they need.
  private static let table: [String: Double] = [
    "environment": 16, "reason": 17, "storefront": 17, "offer": 17.2, "revocationType": 26.4,
    "billingPlanType": 26.4, "commitmentInfo": 26.4, "advancedCommerceInfo": 18.4,
    "eligibleWinBackOfferIDs": 18, "renewalBillingPlanType": 26.4, "winBackOffers": 18,
    "pricingTerms": 26.4, "bundledSubscriptions": 27, "originalPlatform": 18.4, "storeType": 27,
    "currency": 16,
  ]

  /// Types and calls of that kind.
  private static let words: [(name: String, needs: Double)] = [
    ("AppTransaction.shared", 16), ("AppTransaction.refresh", 16), ("AppTransaction.all", 27),
    ("Transaction.all(for:", 18.4), ("Transaction.currentEntitlements(for:", 18.4),
    ("SubscriptionInfo.status(transactionID:", 18.4), ("AppStore.Environment", 16),
    ("StoreKitError.notEntitled", 15.4), ("StoreKitError.unsupported", 18.4),
    ("case .notEntitled", 15.4), ("case .unsupported", 18.4),
    ("case .invalidPresentationContext", 27), ("Status.all", 17),
  ]

  static func findings(_ files: [SourceFile]) -> [String] {
    files.filter { $0.path.hasPrefix("Sources/EntitlementKit/StoreKit/") }.flatMap(unguarded)
  }

  /// Follows the braces: a block has what its `#available` asks for, or what the block around it has.
  private static func unguarded(_ file: SourceFile) -> [String] {
    var blocks: [Double] = [15]
    var isInStoreKitType = false
    var found: [String] = []
    for line in file.code().split(separator: "\n") {
      let asked = line.firstMatch(of: /#available\(iOS ([0-9.]+)/).flatMap { Double($0.1) }
      if line.contains(/^extension (StoreKit\.|Product\b)/) { isInStoreKitType = true }
      if line.hasPrefix("extension "), !line.contains(/StoreKit\.|Product\b/) {
        isInStoreKitType = false
      }
      for (name, needs) in needed(by: String(line), bare: isInStoreKitType)
      where needs > (blocks.last ?? 15) {
        found.append("\(file.path): \(name) needs iOS \(needs)")
      }
      if let asked, line.contains(/\bguard\b/) {
        blocks[blocks.count - 1] = max(blocks[blocks.count - 1], asked)
      }
      for character in line {
        if character == "{" { blocks.append(asked ?? blocks.last ?? 15) }
        if character == "}", blocks.count > 1 { blocks.removeLast() }
      }
    }
    return found
  }

  private static func needed(by line: String, bare: Bool) -> [(String, Double)] {
    var names: [(String, Double)] = words.filter { line.contains($0.name) }.map {
      ($0.name, $0.needs)
    }
    let receivers = /\b(?:transaction|status|renewal|renewalInfo|product|unsafePayloadValue)\.(\w+)/
    for match in line.matches(of: receivers) {
      let name = String(match.1)
      if let needs = table[name], !line.contains("payload") { names.append((name, needs)) }
    }
    if bare {
      for match in line.matches(of: /(?:^|[ (!])(\w+)\.rawValue/) {
        let name = String(match.1)
        if let needs = table[name] { names.append((name, needs)) }
      }
    }
    return names
  }

  @Test func `the adapter asks for the system before it reads what is newer`() {
    #expect(Self.findings(Repository.swiftSources) == [])
    #expect(
      Repository.swiftSources.contains { $0.path.hasPrefix("Sources/EntitlementKit/StoreKit/") })
  }

  @Test(arguments: [
    ("let type = transaction.revocationType", 1),
    ("if #available(iOS 26.4, *) {\nlet type = transaction.revocationType\n}", 0),
    ("if #available(iOS 16, *) {\nlet type = transaction.revocationType\n}", 1),
    ("guard #available(iOS 26.4, *) else { return }\nlet type = transaction.revocationType", 0),
    ("if #available(iOS 16, *) {\n}\nlet app = try await AppTransaction.shared", 1),
    ("let type = transaction.revocationTypeStringRepresentation", 0),
    ("extension StoreKit.Transaction {\nvar place: String { environment.rawValue }\n}", 1),
    ("case .notEntitled: break", 1),
  ])
  func `a member newer than the floor is found unless it is guarded`(code: String, count: Int) {
    let file = SourceFile("Sources/EntitlementKit/StoreKit/A.swift", code)
    #expect(Self.findings([file]).count == count)
  }
}
