/// The first segment of a JWS.
///
/// As made it is the App Store's; each member can be spoiled.
package struct JWSHeader: Sendable {
  /// Absent leaves the member out.
  package var algorithm: String? = "ES256"
  /// What `x5c` lists, absent without the member.
  ///
  /// Shape: the text of each entry, in good form the standard Base64 of a DER certificate.
  package var chain: [String]?
  /// What else there is.
  ///
  /// Shape: names and JSON texts, written after the others.
  package var others: [(name: String, json: String)] = []

  /// The header that lists these certificates.
  ///
  /// Shape: DER, leaf first.
  package init(chain: [[UInt8]]?) {
    self.chain = chain?.map(Base64.standard)
  }

  package var json: [UInt8] {
    var members: [String] = []
    if let algorithm { members.append("\"alg\":\"\(algorithm)\"") }
    if let chain {
      let entries = chain.map { "\"\($0)\"" }.joined(separator: ",")
      members.append("\"x5c\":[\(entries)]")
    }
    members += others.map { "\"\($0.name)\":\($0.json)" }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }
}
