import AppStoreModel

/// How long a receiver may take, and whom it must prove to be.
struct WireSettings: Hashable, Sendable {
  /// How much of an answer is read: nothing but its status is of interest.
  static let largestAnswer = 4_096
  static let largestHeader = 65_536

  var connectTimeout = TimeSpan.seconds(5)
  /// From the beginning to the end of the answer.
  var timeout = TimeSpan.seconds(15)
  /// Certificates to trust in place of the system's; a PEM file.
  var certificateFile: String?
}
