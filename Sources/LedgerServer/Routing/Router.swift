import HTTPListener
import AppStoreModel

/// Finds the route of a request, asks for its key, and sends what the route answers.
final class Router: RequestHandler {
  private let routes: [Route]
  private let keys: KeyRing
  private let realm: Realm
  private let observer: any RequestObserver

  init(routes: [Route], keys: KeyRing, realm: Realm, observer: any RequestObserver) {
    self.routes = routes
    self.keys = keys
    self.realm = realm
    self.observer = observer
  }

  func handle(_ request: HTTPRequest, reply: Reply) {
    let begun = MonotonicClock.milliseconds
    let found = routes.route(of: request.method, at: request.target.segments)
    let name = found.map(\.route.pattern.text) ?? ""
    let finish: Route.Completion = { [observer] result in
      let response = result.response(id: request.id)
      observer.answered(
        request, route: name, status: response.status, problem: result.problem,
        milliseconds: MonotonicClock.milliseconds - begun)
      reply.send(response.with("X-Request-Id", request.id))
    }
    do throws(Problem) {
      guard let found else { throw missing(request) }
      try run(found.route, found.parameters, request, finish)
    } catch {
      finish(.failure(error))
    }
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse {
    let problem = Problem(refusing: reason)
    observer.refused(id: id, problem)
    return problem.response(id: id).with("X-Request-Id", id)
  }

  private func run(
    _ route: Route, _ parameters: [String: String], _ request: HTTPRequest,
    _ finish: @escaping Route.Completion
  ) throws(Problem) {
    let key = try authorize(request, for: route.access)
    try route.run(
      Call(request: request, parameters: parameters, key: key, realm: realm), finish)
  }

  private func authorize(
    _ request: HTTPRequest, for access: Route.Access
  ) throws(Problem) -> APIKey? {
    guard case .keys(let scopes) = access else { return nil }
    guard let secret = request.headers["authorization"].flatMap(Router.bearer) else {
      throw Problem(.unauthenticated, "Send the key as Authorization: Bearer.")
    }
    guard let key = keys.key(for: secret) else {
      throw Problem(
        .unauthenticated,
        "The key is unknown or was revoked; 'clawback keys list' shows those there are.")
    }
    guard scopes.contains(key.scope) else {
      throw Problem(
        .scopeMissing,
        "The key's scope is \(key.scope.rawValue); this takes "
          + scopes.map(\.rawValue).sorted().joined(separator: ", ") + ".")
    }
    return key
  }

  private static func bearer(_ header: String) -> KeySecret? {
    let parts = header.utf8.split(separator: UInt8(ascii: " "))
    guard parts.count == 2, Substring(parts[0]).lowercased() == "bearer" else { return nil }
    return KeySecret(presented: String(Substring(parts[1])))
  }

  private func missing(_ request: HTTPRequest) -> Problem {
    let methods = routes.filter { $0.pattern.match(request.target.segments) != nil }.map(\.method)
    if methods.isEmpty { return Problem(.unknownRoute) }
    let allowed = Set(methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
    return Problem(.methodNotAllowed).with("Allow", allowed.joined(separator: ", "))
  }
}

extension Result<HTTPResponse, Problem> {
  fileprivate func response(id: String) -> HTTPResponse {
    switch self {
    case .success(let response): response
    case .failure(let problem): problem.response(id: id)
    }
  }

  fileprivate var problem: Problem? {
    if case .failure(let problem) = self { problem } else { nil }
  }
}
