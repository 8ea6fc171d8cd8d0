public import AppStoreModel
import JSON5

extension Configuration {
  /// How events are sent to endpoints.
  public struct Webhooks: Hashable, Sendable {
    /// Addresses that may be plain HTTP, and lead to this machine or into the operator's network.
    public var trustedURLs: Set<String> = []
    public var connectTimeout = TimeSpan.seconds(5)
    /// From the beginning of a request to the end of its answer.
    public var timeout = TimeSpan.seconds(15)
    /// After so long of nothing but failures an endpoint is disabled.
    public var disablesAfter = TimeSpan.days(5)
    /// Certificates to trust in place of the system's; a PEM file.
    public var certificatePath: String?

    public init() {}
  }

  /// Somebody who gets what Apple posted, byte for byte.
  public struct ForwardingTarget: Hashable, Sendable {
    public var url: String
    /// Whether it may be plain HTTP, and lead to this machine or into the operator's network.
    public var isTrusted: Bool

    public init(url: String, isTrusted: Bool = false) {
      self.url = url
      self.isTrusted = isTrusted
    }
  }
}

extension Configuration.Webhooks {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: [
      "trustedURLs", "connectSeconds", "answerSeconds", "disableAfterHours", "certificates",
    ])
    trustedURLs = Set(try file.strings("trustedURLs") ?? [])
    connectTimeout =
      try file.integer("connectSeconds", in: 1...60).map { .seconds($0) } ?? connectTimeout
    timeout = try file.integer("answerSeconds", in: 1...60).map { .seconds($0) } ?? timeout
    disablesAfter =
      try file.integer("disableAfterHours", in: 1...8_760).map { .hours($0) } ?? disablesAfter
    certificatePath = try file.string("certificates")
    for url in trustedURLs {
      try Self.check(url, isTrusted: true, "trustedURLs", file)
    }
  }

  fileprivate static func check(
    _ url: String, isTrusted: Bool, _ member: String, _ file: JSON5Object
  ) throws(JSON5Error) {
    do throws(TargetURL.Refusal) {
      _ = try TargetURL(url, isTrusted: isTrusted)
    } catch {
      throw file.refusal(member, "\"\(url)\" cannot be used: \(error.reason)")
    }
  }
}

extension Configuration.ForwardingTarget {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: ["url", "trusted"])
    url = try file.required("url", file.string("url"))
    isTrusted = try file.bool("trusted") ?? false
    try Configuration.Webhooks.check(url, isTrusted: isTrusted, "url", file)
  }
}

extension Configuration {
  var deliveryRules: DeliveryRules {
    var rules = DeliveryRules()
    rules.disablesAfter = webhooks.disablesAfter
    rules.trustedURLs =
      webhooks.trustedURLs.union(forwarding.filter(\.isTrusted).map(\.url))
    return rules
  }

  var wireSettings: WireSettings {
    WireSettings(
      connectTimeout: webhooks.connectTimeout, timeout: webhooks.timeout,
      certificateFile: webhooks.certificatePath)
  }
}
