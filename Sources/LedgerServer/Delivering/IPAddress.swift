/// Where a connection leads, as far as it matters who may be there.
///
/// Source: the IANA special-purpose address registries for IPv4 and IPv6.
struct IPAddress: Hashable, Sendable {
  enum Reach: Hashable, Sendable {
    /// One host, anywhere in the world.
    case publicUnicast
    /// This machine.
    case loopback
    /// A network of the operator's own.
    case privateNetwork
    /// Nothing that a delivery could be for: multicast, link-local, reserved, documentation.
    case other
  }

  /// 4 or 16 bytes, the most significant first.
  let bytes: [UInt8]

  /// - Returns: `nil` for another number of bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// That of the address, or of the least trustworthy IPv4 address that it stands for.
  var reach: Reach {
    if bytes.count == 4 { return Self.reach(ofFour: bytes) }
    let inner = embedded
    guard !inner.isEmpty else { return Self.reach(ofSixteen: bytes) }
    let reaches = Set(inner.map(Self.reach(ofFour:)))
    return [.other, .loopback, .privateNetwork].first { reaches.contains($0) } ?? .publicUnicast
  }

  /// Every IPv4 address that traffic for this one may be handed to.
  private var embedded: [[UInt8]] {
    // RFC 4291 section 2.5.5: mapped, and compatible (but :: and ::1 are themselves).
    if has(Self.mapped, bits: 96) { return [Array(bytes[12...])] }
    // RFC 6052 section 2.1.
    if has([0x00, 0x64, 0xFF, 0x9B], bits: 96) { return [Array(bytes[12...])] }
    if has([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], bits: 48) { return localTranslations }
    // RFC 3056: 6to4.
    if has([0x20, 0x02], bits: 16) { return [Array(bytes[2..<6])] }
    // RFC 4380: Teredo names its server, and its client turned over.
    if has([0x20, 0x01, 0x00, 0x00], bits: 32) {
      return [Array(bytes[4..<8]), bytes[12...].map { ~$0 }]
    }
    return []
  }

  /// A site chooses how long its own prefix is, so each reading that fits counts.
  ///
  /// Source: RFC 8215; RFC 6052 section 2.2.
  private var localTranslations: [[UInt8]] {
    var readings: [[UInt8]] = []
    func isZero(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 == 0 } }
    if isZero(11..<16) { readings.append([6, 7, 9, 10].map { bytes[$0] }) }
    if isZero(12..<16) { readings.append([7, 9, 10, 11].map { bytes[$0] }) }
    if isZero(13..<16) { readings.append(Array(bytes[9..<13])) }
    if !isZero(12..<16) || readings.isEmpty { readings.append(Array(bytes[12...])) }
    return readings
  }

  private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  private func has(_ prefix: [UInt8], bits: Int) -> Bool {
    Self.has(bytes, prefix, bits: bits)
  }

  private static func has(_ bytes: [UInt8], _ prefix: [UInt8], bits: Int) -> Bool {
    for bit in 0..<bits {
      let mask: UInt8 = 0x80 >> (bit % 8)
      let wanted = bit / 8 < prefix.count ? prefix[bit / 8] & mask : 0
      if bytes[bit / 8] & mask != wanted { return false }
    }
    return true
  }

  private static func reach(ofFour bytes: [UInt8]) -> Reach {
    if has(bytes, [127], bits: 8) { return .loopback }
    if privateFour.contains(where: { has(bytes, $0.prefix, bits: $0.bits) }) {
      return .privateNetwork
    }
    let isReserved = reservedFour.contains { has(bytes, $0.prefix, bits: $0.bits) }
    return isReserved ? .other : .publicUnicast
  }

  private static func reach(ofSixteen bytes: [UInt8]) -> Reach {
    if bytes == [UInt8](repeating: 0, count: 15) + [1] { return .loopback }
    if has(bytes, [0xFC], bits: 7) { return .privateNetwork }
    guard has(bytes, [0x20], bits: 3) else { return .other }
    let isReserved = reservedSixteen.contains { has(bytes, $0.prefix, bits: $0.bits) }
    return isReserved ? .other : .publicUnicast
  }

  private typealias Block = (prefix: [UInt8], bits: Int)

  private static let privateFour: [Block] = [
    ([10], 8), ([172, 16], 12), ([192, 168], 16), ([100, 64], 10),
  ]

  private static let reservedFour: [Block] = [
    ([0], 8), ([169, 254], 16), ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24),
    ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
  ]

  /// Of the global unicast space.
  private static let reservedSixteen: [Block] = [
    ([0x20, 0x01], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF], 20),
  ]
}
