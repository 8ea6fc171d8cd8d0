package import AppStoreModel

/// Members that are written otherwise than the store means them, or that it does not know.
///
/// Shape: names and values; `null` leaves the member out.
package struct Alterations: Hashable, Sendable {
  package var outer: [JSONValue.Member] = []
  package var data: [JSONValue.Member] = []
  package var transaction: [JSONValue.Member] = []
  package var renewal: [JSONValue.Member] = []

  package init() {}

  package mutating func append(_ more: Alterations) {
    outer += more.outer
    data += more.data
    transaction += more.transaction
    renewal += more.renewal
  }

  /// The text of an object with some members put in, replaced or left out.
  static func apply(_ members: [JSONValue.Member], to json: [UInt8]) -> [UInt8] {
    guard !members.isEmpty, case .object(var all)? = try? JSONValue(json: json) else {
      return json
    }
    for member in members {
      let place = all.firstIndex { $0.name == member.name }
      if let place { all.remove(at: place) }
      if member.value != .null { all.insert(member, at: place ?? all.count) }
    }
    return JSONValue.object(all).json
  }
}
