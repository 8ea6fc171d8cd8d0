import HTTPListener
import AppStoreModel

/// A refusal, as the client reads it.
///
/// Source: RFC 9457.
struct Problem: Error, Sendable {
  let code: ProblemCode
  /// Shape: a sentence that holds no token, payload or key.
  let detail: String?
  /// The verification rule that was broken.
  let rule: String?
  /// Whether it stands for a `deny` of the spend gate, which could not look.
  private(set) var deniesSpend = false
  private(set) var headers: [(name: String, value: String)] = []
  /// The operator's next step, for who asked from the command line.
  private(set) var advice: String?
  /// What went wrong inside: for the log, never for the client.
  private(set) var cause: String?

  init(_ code: ProblemCode, _ detail: String? = nil, rule: String? = nil) {
    self.code = code
    self.detail = detail
    self.rule = rule
    switch code {
    case .unauthenticated: headers = [("WWW-Authenticate", "Bearer")]
    case .overloaded, .storeUnavailable: headers = [("Retry-After", "1")]
    default: headers = []
    }
  }

  func with(_ name: String, _ value: String) -> Problem {
    var problem = self
    problem.headers.append((name, value))
    return problem
  }

  func advising(_ advice: String) -> Problem {
    var problem = self
    problem.advice = advice
    return problem
  }

  /// The same, with what the log says of it.
  func caused(by cause: String) -> Problem {
    var problem = self
    problem.cause = cause
    return problem
  }

  /// The same, said as the spend gate's answer.
  var denyingSpend: Problem {
    var problem = self
    problem.deniesSpend = true
    return problem
  }

  /// The problem document of the request named `id`.
  func response(id: String) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "/problems/" + code.rawValue)
      writer.member("title", code.title)
      writer.member("status", Int64(code.status))
      writer.member("code", code.rawValue)
      writer.member("detail", detail)
      writer.member("rule", rule)
      writer.member("instance", id)
      guard deniesSpend else { return }
      writer.member("decision", "deny")
      writer.member("degraded", true)
    }
    let response = HTTPResponse(
      status: code.status, type: "application/problem+json", body: writer.bytes)
    return headers.reduce(response) { $0.with($1.name, $1.value) }
  }
}
