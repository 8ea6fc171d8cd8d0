import AppStoreModel
import EntitlementLedger

extension JSONWriter {
  /// One page of a list.
  ///
  /// Shape: `{"<name>":[…],"next":…}`, after the app and environment of a report; on the last page `next` is
  /// left out.
  static func page<Item>(
    of scope: Scope? = nil, _ name: String, _ items: [Item], next: Int64?,
    _ write: (inout JSONWriter, Item) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      if let scope { writer.scope(scope) }
      writer.name(name)
      writer.array { writer in for item in items { write(&writer, item) } }
      writer.member("next", next)
    }
    return writer.bytes
  }
}
