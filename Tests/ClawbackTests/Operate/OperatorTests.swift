import Foundation
import Glibc
import LedgerServer
import Testing

@testable import clawback

struct OperatorTests {
  @Test func `a server that does not answer is told from one that is not there`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "s").path
    let listener = try #require(Self.listen(at: path))
    defer { close(listener) }
    var configuration = try Configuration(
      json5: Array("{ environments: ['Sandbox'], apps: [{ bundleId: 'com.example.app' }] }".utf8))
    configuration.socketPath = path
    var silent = Operator(configuration: configuration)
    silent.patience = 1
    let failure = #expect(throws: CommandFailure.self) { try silent.ask("keys.list") }
    #expect(
      failure?.description
        == "The server at \(path) took the request and has not answered within 1 seconds.")
    #expect(failure?.advice?.hasPrefix("It is stopped, or has too much to do") == true)
  }

  /// Takes connections into its queue, as a server that was stopped does.
  private static func listen(at path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    return isBound && Glibc.listen(descriptor, 8) == 0 ? descriptor : nil
  }
}
