/// What can be said of a text before anything in it is read as signed data.
struct InspectedText {
  static let advice = "Give a compact JWS, or a JSON object such as {\"signedPayload\":\"…\"}."

  private let text: [UInt8]

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Why there is nothing to verify in it, and what to do; `nil` where there may be.
  var problem: (what: String, advice: String)? {
    if text.contains(0) || String(validating: text, as: UTF8.self) == nil {
      return ("it is binary, and no text", Self.advice + " A certificate is given with --root.")
    }
    if !text.contains(where: { $0 > 0x20 }) { return ("there is nothing in it", Self.advice) }
    let lines = items
    guard lines > 1 else { return nil }
    return (
      "it holds \(lines) items, one a line",
      "Give one of them ('sed -n 1p FILE | clawback inspect'), or take all with 'clawback replay'."
    )
  }

  /// How many lines look like an item of an archive.
  private var items: Int {
    text.split(separator: UInt8(ascii: "\n")).count { line in
      let first = line.first { $0 > 0x20 }
      return first == UInt8(ascii: "{") && line.contains(UInt8(ascii: "}"))
        || line.count { $0 == UInt8(ascii: ".") } == 2 && line.starts(with: Array("eyJ".utf8))
    }
  }
}
