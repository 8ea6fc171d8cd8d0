import AppStoreModel

/// Endpoints, and what was sent to them, as a person reads it.
enum WebhookTable {
  /// Endpoints and whom notifications are forwarded to: how they fare, and what waits.
  static func list(_ answer: JSONValue) -> TextTable {
    let rows =
      (answer["webhooks"]?.array ?? []).map { row($0, "webhook") }
      + (answer["forwarding"]?.array ?? []).map { row($0, "forwarding") }
    return TextTable(
      header: [
        "endpoint", "kind", "state", "environment", "apps", "waiting", "given up", "url",
      ], rows: rows)
  }

  private static func row(_ endpoint: JSONValue, _ kind: String) -> [String] {
    let apps = endpoint["apps"]?.array?.compactMap(\.string).joined(separator: ",")
    return [
      endpoint.cell("id"), kind, state(endpoint), endpoint["environment"]?.string ?? "all",
      apps ?? "all", endpoint.cell("waiting"), endpoint.cell("deadLetters"), endpoint.cell("url"),
    ]
  }

  private static func state(_ webhook: JSONValue) -> String {
    if let reason = webhook["disabledBecause"]?.string {
      return "disabled (\(reason)\(since(webhook, "disabledAtMs")))"
    }
    guard webhook["failingSinceMs"] != nil else { return "enabled" }
    return "failing\(since(webhook, "failingSinceMs"))"
  }

  private static func since(_ webhook: JSONValue, _ member: String) -> String {
    webhook[member].map { " since " + Moment.text($0) } ?? ""
  }

  /// Attempts: when, what, and how it went.
  static func deliveries(_ attempts: [JSONValue]) -> TextTable {
    TextTable(
      header: ["started", "event", "attempt", "result", "answer", "took"],
      rows: attempts.map { attempt in
        [
          Moment.text(attempt["startedAtMs"]),
          attempt["position"]?.integer.map(String.init) ?? "test", attempt.cell("attempt"),
          attempt.cell("result"), answer(attempt),
          attempt["tookMs"]?.integer.map(Measured.text(milliseconds:)) ?? "-",
        ]
      })
  }

  /// What was given up: when, what, and why.
  static func deadLetters(_ letters: [JSONValue]) -> TextTable {
    TextTable(
      header: ["given up", "event", "attempts", "last answer"],
      rows: letters.map { letter in
        [
          Moment.text(letter["diedAtMs"]), letter.cell("position"), letter.cell("attempts"),
          answer(letter),
        ]
      })
  }

  private static func answer(_ attempt: JSONValue) -> String {
    attempt["failure"]?.string ?? attempt["status"]?.integer.map { "status \($0)" } ?? "-"
  }
}
