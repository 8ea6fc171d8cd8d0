extension Configuration {
  /// Takes relative paths as beginning in a folder: that of the file which states them, wherever the
  /// process was started.
  ///
  /// - Parameter folder: Without a slash at its end; empty for the root of the file system.
  package mutating func place(in folder: String) {
    let place = Folder(path: folder)
    if case .file(let path) = root { root = .file(path: place.path(path)) }
    database = place.database(database)
    socketPath = socketPath.map(place.path)
    listener.certificatePath = listener.certificatePath.map(place.path)
    webhooks.certificatePath = webhooks.certificatePath.map(place.path)
    listener.keyPath = listener.keyPath.map(place.path)
    for index in apps.indices {
      guard let key = apps[index].appStoreConnect else { continue }
      apps[index].appStoreConnect?.keyPath = place.path(key.keyPath)
    }
  }
}

/// Where relative paths begin.
private struct Folder {
  let path: String

  func path(_ stated: String) -> String {
    stated.hasPrefix("/") || stated.isEmpty ? stated : path + "/" + stated
  }

  /// A ledger in memory, or at an address of another kind, has no path.
  func database(_ stated: String) -> String {
    let scheme = "sqlite:"
    guard stated.hasPrefix(scheme) else {
      return stated.contains(":") ? stated : path(stated)
    }
    let place = String(stated.dropFirst(scheme.count))
    return place == ":memory:" ? stated : scheme + path(place)
  }
}
