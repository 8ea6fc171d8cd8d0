import AppStoreModel
import CCurl

/// An address that something may be sent to, read by the library that connects to it.
struct TargetURL: Hashable, Sendable {
  /// Why an address is refused.
  enum Refusal: Error, Hashable, Sendable {
    case unreadable
    case tooLong
    case notHTTPS
    case holdsCredentials
    case holdsFragment
    /// The host is an address that deliveries do not go to.
    case forbiddenAddress

    /// Shape: the end of a sentence.
    var reason: String {
      switch self {
      case .unreadable: "it cannot be read as a URL"
      case .tooLong: "it has more than \(TargetURL.longest) bytes"
      case .notHTTPS: "it does not begin with https:// and the configuration does not trust it"
      case .holdsCredentials: "it holds a user or password"
      case .holdsFragment: "it holds a fragment, which is never sent"
      case .forbiddenAddress: "its address is not public and the configuration does not trust it"
      }
    }

    /// Where an endpoint's address is trusted, as a sentence after the reason; empty where that helps
    /// nothing.
    var remedy: String {
      switch self {
      case .notHTTPS, .forbiddenAddress:
        " Those that may be so stand, letter by letter, in webhooks.trustedURLs of the configuration."
      case .unreadable, .tooLong, .holdsCredentials, .holdsFragment: ""
      }
    }
  }

  static let longest = 2_048

  let text: String
  /// Whether it may be plain, and lead into the operator's own network: the configuration names it.
  let isTrusted: Bool

  /// Reads an address; `isTrusted` says whether the operator named exactly this one.
  init(_ text: String, isTrusted: Bool) throws(Refusal) {
    guard text.utf8.count <= Self.longest else { throw .tooLong }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = Parts(text) else {
      throw .unreadable
    }
    guard parts.scheme == "https" || (isTrusted && parts.scheme == "http") else {
      throw .notHTTPS
    }
    guard !parts.hasCredentials else { throw .holdsCredentials }
    guard !parts.hasFragment else { throw .holdsFragment }
    if let address = IPAddress(literal: parts.host) {
      guard address.isAllowed(trusted: isTrusted) else { throw .forbiddenAddress }
    }
    self.text = text
    self.isTrusted = isTrusted
  }

  private struct Parts {
    let scheme: String
    let host: String
    let hasCredentials: Bool
    let hasFragment: Bool

    init?(_ text: String) {
      guard let handle = curl_url() else { return nil }
      defer { curl_url_cleanup(handle) }
      guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
      func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
      }
      guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST) else {
        return nil
      }
      self.scheme = scheme.lowercased()
      self.host = host
      hasCredentials = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
      hasFragment = part(CURLUPART_FRAGMENT) != nil
    }
  }
}

extension IPAddress {
  /// Reads what a URL names as its host, where that is an address: also `[…]` and `%zone`.
  init?(literal host: String) {
    var text = host
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    if let zone = text.firstIndex(of: "%") { text = String(text[..<zone]) }
    var four = [UInt8](repeating: 0, count: 4)
    var sixteen = [UInt8](repeating: 0, count: 16)
    if ccurl_parse_address(text, 0, &four) == 1 {
      self.init(four)
    } else if ccurl_parse_address(text, 1, &sixteen) == 1 {
      self.init(sixteen)
    } else {
      return nil
    }
  }

  /// Whether deliveries may go there; trusted ones also to the operator's own machines.
  func isAllowed(trusted: Bool) -> Bool {
    switch reach {
    case .publicUnicast: true
    case .loopback, .privateNetwork: trusted
    case .other: false
    }
  }
}
