import AppStoreModel

/// Endpoints as a person reads them.
enum WebhookLine {
  /// One line: name, state, environment, apps, address, and what waits.
  static func text(_ webhook: JSONValue) -> String {
    let apps = webhook["apps"]?.array?.compactMap(\.string).joined(separator: ",")
    let words = [
      webhook["id"]?.string, state(webhook), webhook["environment"]?.string, apps,
      webhook["url"]?.string, count(webhook, "waiting", "waiting"),
      count(webhook, "deadLetters", "dead"),
    ]
    return words.compactMap { $0 }.joined(separator: "  ")
  }

  /// One line: name, state, address, and what waits.
  static func target(_ target: JSONValue) -> String {
    let words = [
      target["id"]?.string, state(target), "forwarding", target["url"]?.string,
      count(target, "waiting", "waiting"), count(target, "deadLetters", "dead"),
    ]
    return words.compactMap { $0 }.joined(separator: "  ")
  }

  private static func count(_ webhook: JSONValue, _ member: String, _ word: String) -> String? {
    webhook[member]?.integer.flatMap { $0 > 0 ? "\(word) \($0)" : nil }
  }

  private static func state(_ webhook: JSONValue) -> String {
    if let reason = webhook["disabledBecause"]?.string {
      return "disabled (\(reason)\(since(webhook, "disabledAtMs")))"
    }
    guard webhook["failingSinceMs"] != nil else { return "enabled" }
    return "failing\(since(webhook, "failingSinceMs"))"
  }

  private static func since(_ webhook: JSONValue, _ member: String) -> String {
    guard let moment = webhook[member]?.integer else { return "" }
    return " since " + Timestamp(millisecondsSince1970: moment).rfc3339
  }

  /// One line: when, what, how it went.
  static func attempt(_ attempt: JSONValue) -> String {
    let moment = attempt["startedAtMs"]?.integer.map {
      Timestamp(millisecondsSince1970: $0).rfc3339
    }
    let position = attempt["position"]?.integer.map { "event \($0)" } ?? "test"
    let number = attempt["attempt"]?.integer.map { "attempt \($0)" }
    let answer = attempt["failure"]?.string ?? attempt["status"]?.integer.map { "status \($0)" }
    let took = attempt["tookMs"]?.integer.map { "\($0) ms" }
    return [moment, position, number, attempt["result"]?.string, answer, took]
      .compactMap { $0 }.joined(separator: "  ")
  }

  /// One line: when it was given up, what, and why.
  static func deadLetter(_ letter: JSONValue) -> String {
    let moment = letter["diedAtMs"]?.integer.map { Timestamp(millisecondsSince1970: $0).rfc3339 }
    let position = letter["position"]?.integer.map { "event \($0)" }
    let attempts = letter["attempts"]?.integer.map { "\($0) attempts" }
    let answer = letter["failure"]?.string ?? letter["status"]?.integer.map { "status \($0)" }
    return [moment, position, attempts, answer].compactMap { $0 }.joined(separator: "  ")
  }
}
