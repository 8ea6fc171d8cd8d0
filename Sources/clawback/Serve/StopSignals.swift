import Glibc

/// The signals that ask the process to stop, kept from every thread that is started later.
struct StopSignals {
  private let signals: sigset_t

  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Returns when one of them has come.
  func wait() {
    var signals = signals
    var received: Int32 = 0
    sigwait(&signals, &received)
  }

  /// From now on they have their usual, sudden effect.
  func exitAtTheNext() {
    var signals = signals
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
