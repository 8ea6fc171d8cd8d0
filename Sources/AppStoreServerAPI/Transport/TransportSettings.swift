public import AppStoreModel

/// How the network is used.
public struct TransportSettings: Hashable, Sendable {
  /// How long a connection may take, name and handshake included.
  public var connectTimeout = TimeSpan.seconds(10)
  /// How long one attempt may take in all.
  public var timeout = TimeSpan.seconds(30)
  /// Unit: bytes, after decompression.
  public var largestAnswer = 8 << 20
  /// How many connections may be open to one host.
  public var connectionsPerHost = 16
  /// A file of trusted certificates in PEM; `nil` for the system's.
  public var certificateFile: String?
  /// Shape: `http://host:port`; `nil` for none, whatever the environment variables say.
  public var proxy: String?

  public init() {}
}
