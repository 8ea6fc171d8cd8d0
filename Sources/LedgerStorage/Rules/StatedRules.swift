package import AppStoreModel
package import EntitlementLedger

/// What was stated about catalogs and policies while the server ran: it counts before the configuration.
package struct StatedRules: Hashable, Sendable {
  /// What a statement is about.
  package enum Subject: Hashable, Sendable {
    case product(String)
    case policy
  }

  /// Names what a statement is about, and in which app.
  package struct Key: Hashable, Sendable {
    package let bundleId: String
    package let subject: Subject

    package init(bundleId: String, subject: Subject) {
      self.bundleId = bundleId
      self.subject = subject
    }
  }

  /// What is stated: nothing, where the configuration counts again.
  package enum Content: Hashable, Sendable {
    case withdrawn
    case catalog([CatalogEntry])
    case policy([PolicyEntry])
  }

  /// One statement with who made it.
  package struct Statement: Hashable, Sendable {
    package let content: Content
    /// The name of the API key.
    package let statedBy: String?
    package let statedAt: Timestamp

    package init(content: Content, statedBy: String?, statedAt: Timestamp) {
      self.content = content
      self.statedBy = statedBy
      self.statedAt = statedAt
    }
  }

  /// The statements in force, without those that were withdrawn.
  private(set) var standing: [Key: Statement] = [:]

  package init() {}

  mutating func put(_ statement: Statement, for key: Key) {
    standing[key] = statement.content == .withdrawn ? nil : statement
  }

  package subscript(key: Key) -> Statement? { standing[key] }

  /// Any text that differs when what is stated differs; empty where nothing is.
  var source: String {
    standing.map { "\($0.key) \($0.value.content)" }.sorted().joined(separator: "\n")
  }
}
