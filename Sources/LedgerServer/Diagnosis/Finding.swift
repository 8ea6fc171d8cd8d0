import AppStoreModel

/// What one check of a set-up found, in plain words.
package struct Finding: Hashable, Sendable {
  /// What was looked at.
  ///
  /// A closed list, described in `docs/contracts/commands.md`, in the order of the report.
  package enum Check: String, Hashable, Sendable, CaseIterable {
    case configuration, root, listener, certificate, server, key, address, authorization, clock
    case testNotification
  }

  package enum Level: String, Hashable, Sendable, CaseIterable {
    case ok, warning, failed
    /// It could not be looked at, because of another finding or of what is not configured.
    case skipped
  }

  package let check: Check
  /// The app and environment, where it is about one.
  package let subject: String?
  package let level: Level
  /// Shape: a sentence without a token, a payload or a key.
  package let text: String
  /// The operator's next step, where there is one.
  package let advice: String?

  package init(
    _ check: Check, _ level: Level, about subject: String? = nil, _ text: String,
    advice: String? = nil
  ) {
    self.check = check
    self.subject = subject
    self.level = level
    self.text = text
    self.advice = advice
  }
}

/// What all checks found.
package struct Diagnosis: Hashable, Sendable {
  package private(set) var findings: [Finding] = []

  package init() {}

  package mutating func add(_ finding: Finding) { findings.append(finding) }

  /// Whether nothing needs the operator.
  package var isHealthy: Bool {
    !findings.contains { $0.level == .failed || $0.level == .warning }
  }

  /// Shape: one JSON object, described in `docs/contracts/schemas/doctor.json`.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("healthy", isHealthy)
      writer.name("checks")
      writer.array { writer in for finding in findings { writer.finding(finding) } }
    }
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func finding(_ finding: Finding) {
    object { writer in
      writer.member("check", finding.check.rawValue)
      writer.member("about", finding.subject)
      writer.member("level", finding.level.rawValue)
      writer.member("finding", finding.text)
      writer.member("advice", finding.advice)
    }
  }
}
