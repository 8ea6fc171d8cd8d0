/// The shape of a path: `/v1/customers/{customer}/entitlements`.
struct PathPattern: Hashable, Sendable {
  enum Segment: Hashable, Sendable {
    case word(String)
    case parameter(String)
  }

  let text: String
  let segments: [Segment]

  init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map { part in
      part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .word(String(part))
    }
  }

  /// The values of the parameters, none of them empty; `nil` when the path has another shape.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, part) in zip(segments, path) {
      switch segment {
      case .word(let word): guard word == part else { return nil }
      case .parameter(let name):
        guard !part.isEmpty else { return nil }
        values[name] = part
      }
    }
    return values
  }
}
