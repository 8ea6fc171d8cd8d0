/// One statement of the store's, made once: its identity is the key under which a session keeps
/// it prepared.
///
/// Shape: plain SQL that SQLite and PostgreSQL both take, with `?` for each value.
package final class SQLStatement: Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}
