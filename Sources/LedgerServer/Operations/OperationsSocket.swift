import HTTPListener
import AppStoreModel
import CMicrohttpd
import Glibc
import Synchronization

/// The socket by which commands of the same user reach the running server.
///
/// Shape: one line of JSON asks, one answers; then the connection is closed.
package final class OperationsSocket: Sendable {
  private let path: String
  private let listener: Int32
  private let operations: Operations
  private let thread = WorkerThread()
  private let isClosed = Atomic<Bool>(false)

  /// Listens from now on, in place of whoever left a socket there.
  ///
  /// - Throws: ``ServiceError`` `socketUnavailable`.
  package init(path: String, operations: Operations) throws(ServiceError) {
    self.path = path
    self.operations = operations
    LocalSocket.removeLeftover(at: path)
    let previous = umask(0o177)
    let opened = LocalSocket.listen(at: path)
    umask(previous)
    guard let opened else {
      throw .socketUnavailable(path: path, detail: String(cString: strerror(errno)))
    }
    listener = opened
    thread.start { [self] in run() }
  }

  package func close() {
    isClosed.store(true, ordering: .relaxed)
    shutdown(listener, Int32(SHUT_RDWR))
    thread.join()
    Glibc.close(listener)
    unlink(path)
  }

  private func run() {
    while !isClosed.load(ordering: .relaxed) {
      let connection = accept(listener, nil, nil)
      if connection < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      serve(connection)
      Glibc.close(connection)
    }
  }

  private func serve(_ connection: Int32) {
    // The file's mode keeps others out; this holds also where a file system ignores it.
    guard cmhd_peer_uid(connection) == Int64(geteuid()) else { return }
    LocalSocket.setPatience(connection, seconds: 10)
    guard let line = LocalSocket.line(from: connection), let request = try? JSONValue(json: line)
    else { return }
    LocalSocket.send(operations.run(request) + [0x0A], to: connection)
  }
}
