package import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification

/// Checks a set-up against the App Store, one app and environment after the other.
package struct Doctor: Sendable {
  private let configuration: Configuration
  private let endpoint: any TestedEndpoint
  private let patience: TimeSpan
  private let clock: ServerClock
  private let pause: @Sendable (TimeSpan) async -> Void
  private let progress: @Sendable (String) -> Void

  /// Makes a doctor.
  ///
  /// - Parameters:
  ///   - configuration: What is checked.
  ///   - endpoint: Where test notifications should arrive.
  ///   - patience: How long to wait for one.
  ///   - clock: Tells the time.
  ///   - pause: Lets time pass between two questions.
  ///   - progress: Is told what is waited for.
  package init(
    _ configuration: Configuration, endpoint: any TestedEndpoint, patience: TimeSpan,
    clock: ServerClock = .system,
    pause: @escaping @Sendable (TimeSpan) async -> Void,
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.endpoint = endpoint
    self.patience = patience
    self.clock = clock
    self.pause = pause
    self.progress = progress
  }

  /// Asks for a test notification in every environment of an app, and follows it.
  package func examine(_ store: any TestedStore) async -> [Finding] {
    var findings: [Finding] = []
    for environment in ServerEnvironment.allCases
    where configuration.environments.contains(environment.model) {
      findings += await examine(store, in: environment)
    }
    return findings
  }

  private func examine(
    _ store: any TestedStore, in environment: ServerEnvironment
  ) async -> [Finding] {
    let subject = "\(store.bundleId) \(environment.rawValue)"
    progress("Asking for a test notification: \(subject)")
    do throws(AppStoreServerError) {
      let token = try await store.requestTest(in: environment)
      let accepted = Finding(
        .authorization, .ok, about: subject, "The App Store accepts the key.")
      let delivery = await follow(token, store, environment)
      return [
        accepted, .clock(store.skew, lead: delivery.lead, about: subject),
        delivery.finding(about: subject),
      ]
    } catch {
      let refusal = Finding.refused(
        error, about: subject, at: configuration.appStoreServerAPI.url(environment))
      var findings = [refusal]
      if refusal.check == .testNotification {
        findings.insert(
          Finding(.authorization, .ok, about: subject, "The App Store accepts the key."), at: 0)
      } else {
        findings.append(
          Finding(.testNotification, .skipped, about: subject, "It could not be asked for."))
      }
      if store.skew != nil { findings.insert(.clock(store.skew, about: subject), at: 1) }
      return findings
    }
  }

  /// Waits until Apple and our own endpoint have said what became of it.
  private func follow(
    _ token: String, _ store: any TestedStore, _ environment: ServerEnvironment
  ) async -> TestDelivery {
    let step = TimeSpan.seconds(2)
    var delivery = TestDelivery()
    while !delivery.isSettled(patience: patience) {
      await pause(step)
      delivery.waited = delivery.waited.adding(step)
      guard let sent = try? await store.fate(of: token, in: environment) else { continue }
      delivery.isShown = true
      delivery.attempts = sent.sendAttempts
      look(at: sent.signedPayload, &delivery)
    }
    return delivery
  }

  /// Whether what Apple signed verifies here, and whether it has come.
  private func look(at payload: UnverifiedJWS, _ delivery: inout TestDelivery) {
    guard let verifier = try? configuration.verifier() else { return }
    do throws(VerificationError) {
      let proved = try verifier.verifyNotification(payload.bytes, now: clock.now())
      delivery.lead = proved.outer.payload?.signedDate.map { $0.span(since: clock.now()) }
      guard let uuid = proved.outer.payload?.notificationUUID else { return }
      delivery.arrivedAt = endpoint.arrival(ofNotification: uuid)
    } catch {
      delivery.refusal = error
    }
  }
}
