/// Who a certificate is for, or from.
package struct DistinguishedName: Hashable, Sendable {
  package var commonName: String
  package var unit: String

  package init(_ commonName: String, unit: String) {
    self.commonName = commonName
    self.unit = unit
  }

  var der: [UInt8] {
    DER.sequence(
      Self.part("2.5.4.6", DER.printable("US")), Self.part("2.5.4.10", DER.text("Clawback")),
      Self.part("2.5.4.11", DER.text(unit)), Self.part("2.5.4.3", DER.text(commonName)))
  }

  private static func part(_ type: String, _ value: [UInt8]) -> [UInt8] {
    DER.set(DER.sequence(DER.objectIdentifier(type), value))
  }
}
