import AppStoreModel
import JSON5

extension JSON5Object {
  /// A length of time.
  ///
  /// Shape: numbers with `s`, `m`, `h`, `d` or `w`, such as `90m` or `1d 12h`.
  func span(_ name: String) throws(JSON5Error) -> TimeSpan? {
    guard let text = try string(name) else { return nil }
    guard let span = TimeSpan(words: text) else {
      throw refusal(
        name, "expected a time such as 90m, 12h or 3d, 100 years at most, found \(text)")
    }
    return span
  }

  /// An amount.
  ///
  /// Shape: a decimal number in quotes with at most three digits after the point.
  func price(_ name: String) throws(JSON5Error) -> Int64? {
    guard let text = try string(name) else { return nil }
    guard let milliunits = Self.milliunits(text) else {
      throw refusal(name, "expected an amount such as '9.99', found \(text)")
    }
    return milliunits
  }

  /// A share of the whole.
  ///
  /// Unit: milliunits of a percent, as Apple writes it.
  func share(_ name: String) throws(JSON5Error) -> RevokedShare? {
    try integer(name, in: 0...100_000).flatMap {
      RevokedShare(percentMilliunits: Int32($0))
    }
  }

  /// One of a few words.
  func choice<Value>(
    _ name: String, _ choices: [String: Value]
  ) throws(JSON5Error) -> Value? {
    guard let word = try string(name) else { return nil }
    guard let value = choices[word] else {
      let known = choices.keys.sorted().joined(separator: ", ")
      throw refusal(name, "expected one of \(known), found \(word)")
    }
    return value
  }

  /// Refuses texts without a letter, at any depth.
  ///
  /// - Parameter exempt: the name of members in which anything may stand.
  /// - Throws: ``JSON5Error`` with the place of the first.
  func refuseEmptyTexts(but exempt: String) throws(JSON5Error) {
    for member in members where member.name != exempt {
      switch member.value.content {
      case .string(let text) where text.allSatisfy(\.isWhitespace):
        throw refusal(member.name, "cannot be empty")
      case .object: try object(member.name)?.refuseEmptyTexts(but: exempt)
      case .array(let values):
        if case .object? = values.first?.content {
          for entry in try objects(member.name) ?? [] { try entry.refuseEmptyTexts(but: exempt) }
        } else if case .string? = values.first?.content,
          try strings(member.name)?.contains(where: { $0.allSatisfy(\.isWhitespace) }) == true
        {
          throw refusal(member.name, "holds a text that is empty")
        }
      default: break
      }
    }
  }

  static func milliunits(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = Int64(parts[0]), whole >= 0 else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard fraction.count <= 3, fraction.allSatisfy(\.isNumber),
      let rest = Int64(fraction + String(repeating: "0", count: 3 - fraction.count)),
      whole < 1_000_000_000_000
    else { return nil }
    return whole * 1_000 + rest
  }
}

extension TimeSpan {
  /// The longest time that a control or a scenario may state: a hundred years.
  static let greatestStated = TimeSpan.days(36_525)

  /// Shape: numbers with `s`, `m`, `h`, `d` or `w`, such as `90m` or `1d 12h`.
  ///
  /// Range: up to ``greatestStated``.
  init?(words: String) {
    let units: [Character: Int64] = [
      "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]
    var total = TimeSpan.zero
    let parts = words.split(separator: " ")
    for part in parts {
      guard let unit = part.last.flatMap({ units[$0] }), let count = Int64(part.dropLast()),
        (0...100_000_000).contains(count)
      else { return nil }
      total = total.adding(TimeSpan(milliseconds: count * unit))
    }
    guard !parts.isEmpty, total <= .greatestStated else { return nil }
    self = total
  }

  /// As a scenario writes it; what is less than a second is left out.
  ///
  /// Shape: `1d 12h`, or `0s`.
  var words: String {
    var rest = milliseconds / 1_000
    var parts: [String] = []
    for (unit, seconds) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)] as [(String, Int64)] {
      if rest >= seconds { parts.append("\(rest / seconds)\(unit)") }
      rest %= seconds
    }
    return parts.isEmpty ? "0s" : parts.joined(separator: " ")
  }

  /// A period in the App Store's own notation, a month being 30 days and a year 365.
  ///
  /// Shape: an ISO 8601 duration of one unit, such as `P1M`.
  init?(period: String) {
    let units: [Character: Int64] = ["D": 1, "W": 7, "M": 30, "Y": 365]
    guard period.first == "P", let days = period.last.flatMap({ units[$0] }),
      let count = Int64(period.dropFirst().dropLast()), (1...10_000).contains(count)
    else { return nil }
    self = .days(count == 12 && days == 30 ? 365 : count * days)
  }
}

extension JSON5Object {
  /// Every member as it may be written into a payload.
  var values: [JSONValue.Member] {
    members.map { JSONValue.Member($0.name, JSONValue($0.value)) }
  }
}

extension JSONValue {
  fileprivate init(_ value: JSON5Value) {
    switch value.content {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .number("\(number)")
    case .string(let text): self = .string(text)
    case .array(let values): self = .array(values.map(JSONValue.init))
    case .object(let members):
      self = .object(members.map { JSONValue.Member($0.name, JSONValue($0.value)) })
    }
  }
}
