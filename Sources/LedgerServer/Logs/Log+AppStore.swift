package import AppStoreServerAPI

extension Log {
  /// Notes what asking the App Store met with, besides an answer.
  package func note(_ event: ClientEvent) {
    write(LogLine(.warning, "appStore").with("detail", event.description))
  }
}
