import Foundation

/// The tasks and observations of one object, which end with it.
final class TaskBag: @unchecked Sendable {
  private let lock = NSLock()
  private var tasks: [Task<Void, Never>] = []
  private var observations: [any NSObjectProtocol] = []

  func add(_ task: Task<Void, Never>) {
    lock.lock()
    tasks.append(task)
    lock.unlock()
  }

  func observe(_ names: [Notification.Name], _ body: @escaping @Sendable () -> Void) {
    let more = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() }
    }
    lock.lock()
    observations += more
    lock.unlock()
  }

  func cancel() {
    lock.lock()
    for task in tasks { task.cancel() }
    for observation in observations { NotificationCenter.default.removeObserver(observation) }
    tasks = []
    observations = []
    lock.unlock()
  }
}

/// What the systems say when an app returns to the foreground.
///
/// By name, so that the kit needs neither UIKit nor AppKit nor WatchKit.
enum ForegroundNotice {
  static let names = [
    "UIApplicationWillEnterForegroundNotification",
    "NSApplicationDidBecomeActiveNotification",
    "WKApplicationWillEnterForegroundNotification",
  ].map { Notification.Name($0) }
}
