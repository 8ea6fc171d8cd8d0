public import Foundation

/// Where the kit keeps what it knows between two runs of the app.
public protocol EntitlementCache: Sendable {
  /// What was written last; `nil` where nothing was.
  func read() throws(CacheProblem) -> [UInt8]?

  /// Replaces all of it, or nothing.
  func write(_ bytes: [UInt8]) throws(CacheProblem)
}

/// A file in the app's own folder.
public struct FileCache: EntitlementCache {
  /// Where everything is kept.
  public let file: URL

  /// Keeps everything in one file, whose folder is made when it is missing.
  public init(file: URL) {
    self.file = file
  }

  /// The file of this name in the app's own folder below Application Support.
  ///
  /// Outside of a sandbox all apps share Application Support, so the folder has the app's name. On tvOS
  /// an app may keep nothing but caches.
  static func standard(_ name: String) -> FileCache {
    #if os(tvOS)
      let place = FileManager.SearchPathDirectory.cachesDirectory
    #else
      let place = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif
    let folders = FileManager.default.urls(for: place, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.temporaryDirectory
    return FileCache(
      file: folder.appendingPathComponent("EntitlementKit", isDirectory: true)
        .appendingPathComponent(app, isDirectory: true).appendingPathComponent(name))
  }

  /// What tells this app from others.
  private static var app: String {
    Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
  }

  /// Where an app's entitlements are kept unless it says otherwise.
  public static var entitlements: FileCache { standard("entitlements.cache") }

  /// Where reports wait unless the app says otherwise.
  public static var reports: FileCache { standard("reports.queue") }

  /// What was written last; `nil` where there is no file.
  public func read() throws(CacheProblem) -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do {
      return [UInt8](try Data(contentsOf: file))
    } catch {
      throw .unreadable("\((error as NSError).domain) \((error as NSError).code)")
    }
  }

  /// Writes beside the file and moves that into its place, so that a crash leaves the old or the new.
  public func write(_ bytes: [UInt8]) throws(CacheProblem) {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw .unwritable("\((error as NSError).domain) \((error as NSError).code)")
    }
  }
}

/// A cache that lasts as long as the process: for tests and previews.
public final class MemoryCache: EntitlementCache, @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: [UInt8]?

  /// Begins with what an earlier cache held, or with nothing.
  public init(_ bytes: [UInt8]? = nil) {
    self.bytes = bytes
  }

  /// What was written last.
  public func read() -> [UInt8]? {
    lock.lock()
    defer { lock.unlock() }
    return bytes
  }

  /// Replaces all of it.
  public func write(_ bytes: [UInt8]) {
    lock.lock()
    defer { lock.unlock() }
    self.bytes = bytes
  }
}
