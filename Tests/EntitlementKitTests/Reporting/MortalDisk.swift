import EntitlementKit
import Foundation

/// A disk that outlives the app: what one life wrote is there for the next.
final class MortalDisk: @unchecked Sendable {
  private let lock = NSLock()
  private var files: [String: [UInt8]] = [:]

  /// One run of the app, which ends after so many writes: nothing of it reaches the disk afterwards.
  func life(writes: Int) -> Life { Life(disk: self, writes: writes) }

  func read(_ name: String) -> [UInt8]? { lock.withLock { files[name] } }

  private func write(_ bytes: [UInt8], _ name: String) { lock.withLock { files[name] = bytes } }

  final class Life: @unchecked Sendable {
    private let disk: MortalDisk
    private let lock = NSLock()
    private var left: Int

    init(disk: MortalDisk, writes: Int) {
      self.disk = disk
      left = writes
    }

    /// Whether the process would be gone by now.
    var isOver: Bool { lock.withLock { left <= 0 } }

    func end() { lock.withLock { left = 0 } }

    func file(_ name: String) -> File { File(life: self, name: name) }

    fileprivate func write(_ bytes: [UInt8], _ name: String) {
      lock.withLock {
        guard left > 0 else { return }
        left -= 1
        disk.write(bytes, name)
      }
    }

    fileprivate func read(_ name: String) -> [UInt8]? { disk.read(name) }
  }

  struct File: EntitlementCache {
    let life: Life
    let name: String

    func read() -> [UInt8]? { life.read(name) }
    func write(_ bytes: [UInt8]) { life.write(bytes, name) }
  }
}

/// A disk with space, or without.
final class CrowdedDisk: EntitlementCache, @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: [UInt8]?
  private var isFull = false

  func fill(_ isFull: Bool) { lock.withLock { self.isFull = isFull } }

  func read() -> [UInt8]? { lock.withLock { bytes } }

  func write(_ bytes: [UInt8]) throws(CacheProblem) {
    lock.lock()
    defer { lock.unlock() }
    if isFull { throw .unwritable("NSPOSIXErrorDomain 28") }
    self.bytes = bytes
  }
}
