import AppStoreModel

/// What a JWS header says about its signature.
///
/// Source: RFC 7515, section 4.
struct JOSEHeader {
  /// `nil` when the header names none as text.
  private(set) var algorithm: String?
  /// `nil` unless it is an array of text.
  private(set) var certificates: [String]?

  /// Reads a whole header; a member that stands twice, or `crit`, makes it unreadable.
  init(json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload) {
    var reader = JSONReader(json)
    var seen: Set<String> = []
    var first = true
    try reader.beginObject()
    while let range = try reader.nextMember(first: &first) {
      let name = try reader.text(of: range)
      // `crit` demands extensions that we do not have (RFC 7515, section 4.1.11).
      guard name != "crit", seen.insert(name).inserted else {
        throw MalformedPayload(.duplicateMember, path: name, offset: reader.position)
      }
      try read(name, from: &reader)
    }
    try reader.end()
  }

  private mutating func read(
    _ name: String, from reader: inout JSONReader
  ) throws(MalformedPayload) {
    switch name {
    case "alg": algorithm = try Self.text(from: &reader)
    case "x5c": certificates = try Self.texts(from: &reader)
    default: _ = try reader.skipValue()
    }
  }

  private static func text(from reader: inout JSONReader) throws(MalformedPayload) -> String? {
    let start = reader
    do throws(MalformedPayload) {
      return try reader.string()
    } catch {
      guard case .wrongType = error.reason else { throw error }
    }
    reader = start
    _ = try reader.skipValue()
    return nil
  }

  private static func texts(from reader: inout JSONReader) throws(MalformedPayload) -> [String]? {
    let start = reader
    do throws(MalformedPayload) {
      var texts: [String] = []
      var first = true
      try reader.beginArray()
      while try reader.nextElement(first: &first) { texts.append(try reader.string()) }
      return texts
    } catch {
      guard case .wrongType = error.reason else { throw error }
    }
    reader = start
    _ = try reader.skipValue()
    return nil
  }
}
