import CMicrohttpd
import Glibc

/// Where the server listens.
public struct BindAddress: Sendable, Equatable {
  public let host: String
  /// 0 lets the system choose.
  public let port: UInt16

  /// `nil` for a host that is no IPv4 or IPv6 address.
  public init?(host: String, port: UInt16) {
    self.host = host
    self.port = port
    guard isIPv4 || isIPv6 else { return nil }
  }

  func with(port: UInt16) -> BindAddress? { BindAddress(host: host, port: port) }

  package var isIPv6: Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, host, &address) == 1
  }

  private var isIPv4: Bool {
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1
  }

  /// Whether only this machine can connect.
  public var isLoopback: Bool {
    isIPv6 ? host == "::1" : host.hasPrefix("127.")
  }

  func withSocketAddress<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      return withUnsafeMutablePointer(to: &address) { body(UnsafeMutableRawPointer($0)) }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafeMutablePointer(to: &address) { body(UnsafeMutableRawPointer($0)) }
  }
}

extension HTTPLoop {
  /// The other side's address, without its port.
  static func peer(of connection: OpaquePointer) -> String {
    guard let address = cmhd_peer(connection) else { return "" }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let size =
      Int32(address.pointee.sa_family) == AF_INET6
      ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    getnameinfo(
      address, socklen_t(size), &text, socklen_t(text.count), nil, 0, Int32(NI_NUMERICHOST))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
