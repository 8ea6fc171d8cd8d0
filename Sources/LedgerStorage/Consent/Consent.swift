package import AppStoreModel

/// Whether a customer lets us tell Apple how a purchase was used, as it was last recorded.
package struct Consent: Hashable, Sendable {
  /// `false` once it was withdrawn.
  package let isGiven: Bool
  /// The name of the API key that recorded it.
  package let recordedBy: String
  /// In the words of who recorded it.
  package let note: String?
  package let recordedAt: Timestamp

  package init(isGiven: Bool, recordedBy: String, note: String? = nil, recordedAt: Timestamp) {
    self.isGiven = isGiven
    self.recordedBy = recordedBy
    self.note = note
    self.recordedAt = recordedAt
  }
}
