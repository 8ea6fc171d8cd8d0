import Foundation
import Testing

/// What the adapter may read without asking for the system: Linux gives no availability errors.
struct AvailabilityTests {
  /// What a declaration needs, as the comments behind Apple's declarations say it.
  private struct Table {
    /// By the member's bare name; where several types have it, the newest.
    private(set) var members: [String: Double] = [:]
    /// By type and member, as a call or a pattern would spell it.
    private(set) var words: [(name: String, needs: Double)] = []

    init(_ interface: String) {
      var types: [(name: String, needs: Double)] = []
      for line in interface.split(separator: "\n") {
        let needs = line.firstMatch(of: /\/\/ iOS ([0-9.]+)$/).flatMap { Double($0.1) }
        let code = line.prefix { $0 != "/" }
        if let type = code.firstMatch(of: /\b(?:struct|enum|extension) ([\w.]+)/) {
          let name = (types.last.map { $0.name + "." } ?? "") + type.1
          if code.filter({ $0 == "{" }).count > code.filter({ $0 == "}" }).count {
            types.append((code.contains("extension ") ? String(type.1) : name, needs ?? 15))
          }
          if let needs, !code.contains("extension ") { add(type: name, needs) }
          continue
        }
        if let type = types.last, let needs = needs.map({ max($0, type.needs) }) {
          add(code, of: type.name, needs)
        }
        if code.contains(/^ *\}/), !types.isEmpty { types.removeLast() }
      }
    }

    private mutating func add(type: String, _ needs: Double) { words.append((type + ".", needs)) }

    private mutating func add(_ code: Substring, of type: String, _ needs: Double) {
      if let found = code.firstMatch(of: /\bstatic (?:let|var|func) (\w+)(\(\w+)?/) {
        words.append(("\(type).\(found.1)\(found.2 ?? "")", needs))
      } else if let found = code.firstMatch(of: /\bcase (\w+)/) {
        words += [("case .\(found.1)", needs), ("\(type).\(found.1)", needs)]
      } else if let found = code.firstMatch(of: /\b(?:let|var|func) (\w+)/) {
        members[String(found.1)] = max(members[String(found.1)] ?? 15, needs)
      }
    }
  }

  private static let table = Table(
    Repository.text("Tests/SignatureLock/StoreKit.swiftinterface"))

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
    var names: [(String, Double)] = table.words.filter { isNamed($0.name, in: line) }.map {
      ($0.name, $0.needs)
    }
    let receivers = /\b(?:transaction|status|renewal|renewalInfo|product|unsafePayloadValue)\.(\w+)/
    for match in line.matches(of: receivers) {
      let name = String(match.1)
      if let needs = table.members[name], !line.contains("payload") { names.append((name, needs)) }
    }
    if bare {
      for match in line.matches(of: /(?:^|[ (!])(\w+)\.rawValue/) {
        let name = String(match.1)
        if let needs = table.members[name] { names.append((name, needs)) }
      }
    }
    return names
  }

  /// `Product.SubscriptionInfo.Status.all` is written so, or from any of its types on.
  private static func isNamed(_ name: String, in line: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return (0..<max(1, parts.count - 1)).contains { first in
      let tail = parts[first...].joined(separator: ".")
      guard let place = line.range(of: tail) else { return false }
      let before = line[..<place.lowerBound].last
      let after = line[place.upperBound...].first
      let isWhole = !(before?.isLetter ?? false) && before != "."
      return isWhole && (tail.hasSuffix(".") || tail.contains("(") || !(after?.isLetter ?? false))
    }
  }

  @Test func `every declaration that is newer than the floor says so`() {
    #expect(Self.table.members["revocationType"] == 26.4)
    #expect(Self.table.members["revocationDate"] == nil)
    #expect(Self.table.members.count > 20)
    #expect(Self.table.words.count > 40)
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
