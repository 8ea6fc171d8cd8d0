/// The ways by which deliveries leave.
///
/// A trusted address has connections of its own: one that is open into the operator's network is never
/// used again for an address that may not lead there.
struct DeliveryWires: Sendable {
  let `public`: any DispatchWire
  let trusted: any DispatchWire

  func wire(for target: TargetURL) -> any DispatchWire {
    target.isTrusted ? trusted : `public`
  }

  func close() {
    `public`.close()
    trusted.close()
  }
}

extension DeliveryWires {
  /// By libcurl; `nil` when it cannot be used.
  init?(_ settings: WireSettings) {
    guard let open = CurlWire(settings), let trusted = CurlWire(settings) else { return nil }
    self.init(public: open, trusted: trusted)
  }
}
