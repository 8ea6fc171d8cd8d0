import AppStoreModel
import AppStoreVerification

extension Inspection {
  /// One JSON object; `docs/contracts/commands.md` describes it.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("verdict", isAccepted ? "accepted" : "refused")
      writer.name("rule")
      if case .refused(let error) = verdict { writer.string(error.rule) } else { writer.null() }
      writer.member("kind", kind.rawValue)
      writeParts(to: &writer)
      writer.member("explanation", explanation)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  var isAccepted: Bool {
    if case .accepted = verdict { true } else { false }
  }

  private func writeParts(to writer: inout JSONWriter) {
    guard case .accepted(let outer, let inner, let realm) = verdict else {
      for name in ["judgedAt", "payload"] {
        writer.name(name)
        writer.null()
      }
      writer.name("inner")
      writer.array { _ in }
      return
    }
    writer.member("realm", realm.description)
    writer.member("bundleId", bundleID)
    writer.member("environment", environment)
    outer.write(to: &writer)
    writer.name("inner")
    writer.array { writer in
      for part in inner {
        writer.object { writer in
          writer.member("kind", part.kind.rawValue)
          part.write(to: &writer)
        }
      }
    }
  }

  /// Lines for a person.
  var lines: [String] {
    var lines = [Inspection.row("verdict", heading)]
    if case .accepted(let outer, let inner, let realm) = verdict {
      lines.append(
        Inspection.row("for", "\(bundleID ?? "any app"), \(environment ?? "any environment")"))
      lines.append(
        Inspection.row("signed under", realm == .apple ? "Apple Root CA - G3" : "\(realm)"))
      lines.append(Inspection.row("judged at", outer.judgedAt.rfc3339))
      for part in inner {
        lines.append(Inspection.row("holds", "a verified \(part.kind.rawValue)"))
      }
    }
    return lines + [""] + Inspection.wrapped(explanation, at: 80)
  }

  private var heading: String {
    switch verdict {
    case .accepted: "accepted, \(kind.rawValue)"
    case .refused(let error): "refused by rule \(error.rule)"
    }
  }

  private static func row(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: 14 - name.count) + value
  }

  private static func wrapped(_ text: String, at width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension Inspection.Part {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("judgedAt", judgedAt.rfc3339)
    writer.name("payload")
    writer.raw(payload)
  }
}
