import Glibc

/// A certificate and its key, as libmicrohttpd wants them: text that outlives the daemon.
package final class TLSIdentity: Sendable {
  /// Text in memory of its own, ended by a zero.
  final class CText: @unchecked Sendable {
    let pointer: OpaquePointer
    private let memory: UnsafeMutablePointer<CChar>

    init(_ bytes: [UInt8]) {
      memory = .allocate(capacity: bytes.count + 1)
      for (index, byte) in bytes.enumerated() { memory[index] = CChar(bitPattern: byte) }
      memory[bytes.count] = 0
      pointer = OpaquePointer(memory)
    }

    deinit { memory.deallocate() }
  }

  let certificate: CText
  let key: CText

  /// - Parameters:
  ///   - certificate: PEM, the server's certificate first.
  ///   - key: PEM.
  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = CText(certificate)
    self.key = CText(key)
  }
}
