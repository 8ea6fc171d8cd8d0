package import AppStoreModel

/// What a call meets instead of its answer.
package struct APIFault: Sendable {
  /// Absent for any.
  package var endpoint: APIEndpoint?
  /// Absent for both.
  package var environment: AppStoreEnvironment?
  package var answer: APIAnswer
  /// How many calls meet it.
  package var count: Int
  /// How many calls go well before.
  package var after: Int
  /// Whether the call does its work first, so that only the answer is lost.
  package var isDone: Bool

  package init(
    _ answer: APIAnswer, at endpoint: APIEndpoint? = nil, count: Int = 1, after: Int = 0,
    isDone: Bool = false
  ) {
    self.endpoint = endpoint
    self.answer = answer
    self.count = count
    self.after = after
    self.isDone = isDone
  }

  func meets(_ endpoint: APIEndpoint, _ environment: AppStoreEnvironment) -> Bool {
    concerns(environment) && (self.endpoint == nil || self.endpoint == endpoint)
  }

  func concerns(_ environment: AppStoreEnvironment) -> Bool {
    self.environment == nil || self.environment == environment
  }
}
