import AppStoreModel
import Synchronization

/// Keeps one good token for all who ask for one app, and what is known about the clock.
final class TokenMint: Sendable {
  private struct State {
    var token: String?
    var expiresAt = Timestamp.distantPast
    var skew = TimeSpan.zero
  }

  /// Differences below this are no reason to distrust our clock.
  static let leastSkew = TimeSpan.seconds(5)

  private let credentials: AppCredentials
  private let state = Mutex(State())

  init(_ credentials: AppCredentials) {
    self.credentials = credentials
  }

  /// The measured difference that tokens are corrected by.
  var skew: TimeSpan { state.withLock { $0.skew } }

  /// The token in use, or a new one when that one ends soon; `nil` when libcrypto fails.
  func token(now: Timestamp) -> String? {
    state.withLock { state in
      let corrected = now.adding(state.skew)
      if let token = state.token, corrected < state.expiresAt.subtracting(TokenClaims.margin),
        // After the clock was set back, a token may begin in its future.
        corrected >= state.expiresAt.subtracting(TokenClaims.lifetime)
      {
        return token
      }
      let claims = TokenClaims(credentials, now: corrected)
      state.token = claims.token(signedBy: credentials.key)
      state.expiresAt = claims.expiresAt
      return state.token
    }
  }

  /// Drops a token that was refused, unless another worker replaced it already.
  ///
  /// - Parameters:
  ///   - token: the refused one.
  ///   - skew: how far our clock is behind the App Store's, if that is known.
  /// - Returns: whether the correction of the clock changed.
  func refuse(_ token: String, skew: TimeSpan?) -> Bool {
    state.withLock { state in
      if state.token == token { state.token = nil }
      guard let skew else { return false }
      let change = skew.milliseconds - state.skew.milliseconds
      guard change.magnitude >= Self.leastSkew.milliseconds.magnitude else { return false }
      state.skew = skew
      state.token = nil
      return true
    }
  }
}
