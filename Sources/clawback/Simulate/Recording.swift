import AppStoreModel
import AppStoreSimulator

/// What was posted once, kept so that it can be posted again byte for byte.
///
/// Shape: JSON lines with `signedPayload`, `attemptDate` in milliseconds, `status` or `failure`, and
/// `expected` where a receiver that checks everything does not take it.
enum Recording {
  struct Line {
    let signedPayload: String
    let expectation: Delivery.Expectation
  }

  /// Whether a path names one.
  static func isNamed(by word: String) -> Bool { word.hasSuffix(".jsonl") }

  static func bytes(_ deliveries: [Delivery]) -> [UInt8] {
    deliveries.filter(\.isPosted).flatMap { delivery in
      var members = [
        JSONValue.Member("signedPayload", .string(delivery.message.signedPayload)),
        JSONValue.Member("attemptDate", .integer(delivery.date.millisecondsSince1970)),
      ]
      if let status = delivery.status { members.append(.init("status", .integer(Int64(status)))) }
      if let failure = delivery.failure { members.append(.init("failure", .string(failure))) }
      let expectation = delivery.message.expectation
      if expectation != .taken {
        members.append(.init("expected", .string(expectation.rawValue)))
      }
      return JSONValue.object(members).json + [UInt8(ascii: "\n")]
    }
  }

  /// The lines of a recording, or of any file that `--out` wrote.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming the line.
  static func lines(of path: String) throws(CommandFailure) -> [Line] {
    let reader = try LineReader(path)
    var lines: [Line] = []
    while let line = try reader.next() {
      guard let object = try? JSONValue(json: line), let payload = object["signedPayload"]?.string
      else {
        throw CommandFailure(
          "\(path): line \(lines.count + 1) holds no signedPayload.", code: .unusable)
      }
      let expected = object["expected"]?.string.flatMap(Delivery.Expectation.init(rawValue:))
      lines.append(Line(signedPayload: payload, expectation: expected ?? .taken))
    }
    return lines
  }
}
