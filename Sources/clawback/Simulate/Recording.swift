import AppStoreModel
import AppStoreSimulator

/// What was posted once, kept so that it can be posted again byte for byte.
///
/// Shape: JSON lines with `signedPayload`, `attemptDate` in milliseconds, and `status` or `failure`.
enum Recording {
  /// Whether a path names one.
  static func isNamed(by word: String) -> Bool { word.hasSuffix(".jsonl") }

  static func lines(_ deliveries: [Delivery]) -> [UInt8] {
    deliveries.filter(\.isPosted).flatMap { delivery in
      var members = [
        JSONValue.Member("signedPayload", .string(delivery.message.signedPayload)),
        JSONValue.Member("attemptDate", .integer(delivery.date.millisecondsSince1970)),
      ]
      if let status = delivery.status { members.append(.init("status", .integer(Int64(status)))) }
      if let failure = delivery.failure { members.append(.init("failure", .string(failure))) }
      return JSONValue.object(members).json + [UInt8(ascii: "\n")]
    }
  }

  /// The signed payloads of a recording, or of any file that `--out` wrote.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming the line.
  static func signedPayloads(_ path: String) throws(CommandFailure) -> [String] {
    let reader = try LineReader(path)
    var payloads: [String] = []
    while let line = try reader.next() {
      guard let object = try? JSONValue(json: line), let payload = object["signedPayload"]?.string
      else {
        throw CommandFailure(
          "\(path): line \(payloads.count + 1) holds no signedPayload.", code: .unusable)
      }
      payloads.append(payload)
    }
    return payloads
  }
}
