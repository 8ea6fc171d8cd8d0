import AppStoreModel
import AppStoreVerification

/// One JWS that a user gave, and what it seems to be.
struct SignedInput: Sendable {
  let kind: SignedDataKind
  /// The compact form, without white space around it.
  let jws: [UInt8]

  /// Why a text holds no JWS to look at.
  enum Unusable: Error, Equatable, CustomStringConvertible {
    case empty
    case notJSON(String)
    case noSignedMember

    var description: String {
      switch self {
      case .empty: "there is nothing in it"
      case .notJSON(let problem): problem
      case .noSignedMember:
        "the object has none of " + SignedInput.members.map(\.name).joined(separator: ", ")
      }
    }
  }

  private static let members: [(name: String, kind: SignedDataKind)] = [
    ("signedPayload", .notification), ("signedTransactionInfo", .transaction),
    ("signedRenewalInfo", .renewalInfo), ("signedAppTransactionInfo", .appTransaction),
  ]

  /// Reads a bare compact JWS, or an object with one of Apple's four members that hold one.
  ///
  /// Other members of the object are passed over. What a bare JWS is, its unverified payload tells:
  /// it decides only by which rules the JWS is verified.
  init(text: [UInt8]) throws(Unusable) {
    self = try SignedInput.first(of: SignedInput.all(in: text))
  }

  private init(kind: SignedDataKind, jws: [UInt8]) {
    self.kind = kind
    self.jws = jws
  }

  /// Reads a bare compact JWS, or an object with any of Apple's four members, in the object's order.
  ///
  /// Shape: never empty; what Apple's API answers holds a transaction beside its renewal.
  static func all(in text: [UInt8]) throws(Unusable) -> [SignedInput] {
    let trimmed = SignedInput.trimmed(text)
    guard let first = trimmed.first else { throw .empty }
    guard first == UInt8(ascii: "{") else {
      return [SignedInput(kind: kind(ofBare: trimmed), jws: Array(trimmed))]
    }
    let inputs = try members(of: trimmed)
    guard !inputs.isEmpty else { throw .noSignedMember }
    return inputs
  }

  private static func first(of inputs: [SignedInput]) throws(Unusable) -> SignedInput {
    guard let first = inputs.first else { throw .noSignedMember }
    return first
  }

  private static func members(of object: ArraySlice<UInt8>) throws(Unusable) -> [SignedInput] {
    let result: Result<[SignedInput], MalformedPayload> =
      object.withUnsafeBufferPointer { bytes in
        Result { () throws(MalformedPayload) in
          var reader = JSONReader(bytes)
          return try signedMembers(&reader)
        }
      }
    switch result {
    case .success(let inputs): return inputs
    case .failure(let error): throw .notJSON(error.description)
    }
  }

  private static func signedMembers(
    _ reader: inout JSONReader
  ) throws(MalformedPayload) -> [SignedInput] {
    try reader.beginObject()
    var found: [SignedInput] = []
    var first = true
    while let range = try reader.nextMember(first: &first) {
      let name = try reader.text(of: range)
      guard let member = members.first(where: { $0.name == name }) else {
        _ = try reader.skipValue()
        continue
      }
      found.append(SignedInput(kind: member.kind, jws: Array(try reader.string().utf8)))
    }
    try reader.end()
    return found
  }

  private static func kind(ofBare jws: ArraySlice<UInt8>) -> SignedDataKind {
    let segments = jws.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard segments.count == 3, let json = segments[1].withUnsafeBufferPointer(Base64URL.decode),
      let payload = try? JSONValue(json: json)
    else { return .notification }
    func has(_ names: String...) -> Bool { names.contains { payload[$0] != nil } }
    if has("notificationType", "notificationUUID", "data", "summary", "appData") {
      return .notification
    }
    if has("receiptType", "receiptCreationDate", "originalApplicationVersion") {
      return .appTransaction
    }
    if has("transactionId", "purchaseDate", "inAppOwnershipType") { return .transaction }
    if has("autoRenewStatus", "autoRenewProductId", "renewalDate") || !has("bundleId") {
      return .renewalInfo
    }
    return .transaction
  }

  private static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return text[start..<end]
  }
}
