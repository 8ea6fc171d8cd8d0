extension Finding {
  /// So early a warning leaves time to renew a certificate.
  private static let warningDays: Int32 = 14

  /// How long Apple can still deliver to the server's certificate.
  init(_ lifetime: TLSFiles.Lifetime) {
    switch lifetime {
    case .notYetValid: self = .unusableCertificate("The certificate is not valid yet.")
    case .over: self = .unusableCertificate("The certificate has expired.")
    case .days(let days):
      let isLate = days < Self.warningDays
      self.init(
        .certificate, isLate ? .warning : .ok,
        "The certificate is valid for \(days) more days.",
        advice: isLate ? "Renew it, and restart the server." : nil)
    }
  }

  private static func unusableCertificate(_ text: String) -> Finding {
    Finding(
      .certificate, .failed, text,
      advice: "Apple delivers only to a valid certificate of a public authority.")
  }
}
