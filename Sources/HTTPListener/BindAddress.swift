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

  /// Whether nobody listens there; `errno` says why not.
  ///
  /// The loops share their port, by SO_REUSEPORT. A second server of the same user would share it
  /// too: both would start, and each would get some of the connections.
  func isFree() -> Bool {
    let probe = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard probe >= 0 else { return false }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if isIPv6 { setsockopt(probe, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
    let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    let code = withSocketAddress {
      bind(probe, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
    }
    let reason = errno
    close(probe)
    errno = reason
    return code == 0
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
    cmhd_peer(connection).map(text(of:)) ?? ""
  }

  static func text(of address: UnsafePointer<sockaddr>) -> String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let size =
      Int32(address.pointee.sa_family) == AF_INET6
      ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    getnameinfo(
      address, socklen_t(size), &text, socklen_t(text.count), nil, 0, Int32(NI_NUMERICHOST))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
