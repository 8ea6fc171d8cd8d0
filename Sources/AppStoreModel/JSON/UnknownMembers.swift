/// Members that Apple sent and this version does not know, kept so that nothing is lost.
public struct UnknownMembers: Hashable, Sendable {
  /// One of them: its name, and its value's JSON text in UTF-8.
  public struct Member: Hashable, Sendable {
    public let name: String
    public let json: [UInt8]
  }

  /// In the order in which they were sent.
  public private(set) var members: [Member] = []

  public init() {}

  public var isEmpty: Bool { members.isEmpty }

  mutating func append(_ name: String, json: UnsafeBufferPointer<UInt8>) {
    members.append(Member(name: name, json: Array(json)))
  }
}
