import AppStoreModel

/// The date in a payload that cannot be read as a whole, or need not be.
struct SigningDate {
  let moment: Timestamp

  /// Looks for `signedDate` or `receiptCreationDate` among the outermost members.
  init?(inPayload json: [UInt8]) {
    guard let moment = json.withUnsafeBufferPointer({ try? Self.find(in: $0) }) else { return nil }
    self.moment = moment
  }

  /// Looks into the payload of a JWS, which nothing has verified yet.
  init?(insideCompactForm text: String) {
    let bytes = Array(text.utf8)
    let payload = bytes.withUnsafeBufferPointer { buffer -> [UInt8]? in
      guard let form = try? CompactForm(buffer, part: .transaction) else { return nil }
      return Base64URL.decode(form.payload)
    }
    guard let payload else { return nil }
    self.init(inPayload: payload)
  }

  private static func find(
    in json: UnsafeBufferPointer<UInt8>
  ) throws(MalformedPayload) -> Timestamp? {
    var reader = JSONReader(json)
    var first = true
    try reader.beginObject()
    while let range = try reader.nextMember(first: &first) {
      let name = try reader.text(of: range)
      if name == "signedDate" || name == "receiptCreationDate" { return try reader.timestamp() }
      _ = try reader.skipValue()
    }
    return nil
  }
}
