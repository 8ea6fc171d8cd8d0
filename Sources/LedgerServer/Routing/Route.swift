import HTTPListener

/// One method on one path: who may call it, and what answers.
struct Route: Sendable {
  enum Access: Hashable, Sendable {
    /// No key: what is posted proves itself, or there is nothing to protect.
    case open
    case keys(Set<KeyScope>)

    /// Every key of a backend.
    static let readers = Access.keys([.read, .spend, .admin])
    /// Keys that may change something in the name of a backend.
    static let spenders = Access.keys([.spend, .admin])
    static let administrators = Access.keys([.admin])
  }

  /// Sends the answer, once, from any thread.
  typealias Completion = @Sendable (Result<HTTPResponse, Problem>) -> Void

  enum Action: Sendable {
    /// Answers on the loop's thread; must be quick.
    case now(@Sendable (Call) throws(Problem) -> HTTPResponse)
    /// Begins on the loop's thread and completes elsewhere.
    case later(@Sendable (Call, @escaping Completion) throws(Problem) -> Void)
  }

  let method: String
  let pattern: PathPattern
  let access: Access
  /// What a body may hold.
  let body: BodyShape
  let action: Action
  /// What it reads from the query.
  private(set) var queries: [QueryParameter] = []

  /// The same, with what it reads from the query told to programs.
  func reading(_ queries: QueryParameter...) -> Route {
    var route = self
    route.queries += queries
    return route
  }

  /// Has a call answered, by a key that may make it.
  func run(_ call: Call, _ finish: @escaping Completion) throws(Problem) {
    let names = call.request.target.query.map(\.name)
    guard Set(names).count == names.count else {
      throw Problem(.badParameter, "A parameter of the query stands twice.")
    }
    try checkQuery(names, by: call.key)
    // The app on a device may be newer than this server; what it reports is not lost for that.
    if call.key?.scope != .device { try call.checkBody(body) }
    switch action {
    case .now(let answer): finish(.success(try answer(call)))
    case .later(let begin): try begin(call, finish)
    }
  }

  /// Refuses what the query says and nobody reads, so that a misspelt filter never lists everything.
  ///
  /// Open routes take any query: what Apple posts is not lost for an address that was given one, and who
  /// looks whether the server lives may add what he likes. The app on a device may be newer than this
  /// server.
  func checkQuery(_ names: [String], by key: APIKey?) throws(Problem) {
    guard access != .open, key?.scope != .device else { return }
    try QueryParameter.check(names, against: queries)
  }

  static func get(
    _ pattern: String, _ access: Access,
    _ answer: @escaping @Sendable (Call) throws(Problem) -> HTTPResponse
  ) -> Route {
    Route(
      method: "GET", pattern: PathPattern(pattern), access: access, body: .any,
      action: .now(answer))
  }

  /// Changes something; a request whose body has members that `body` does not name is refused.
  static func write(
    _ method: String, _ pattern: String, _ access: Access, _ body: BodyShape,
    _ begin: @escaping @Sendable (Call, @escaping Completion) throws(Problem) -> Void
  ) -> Route {
    Route(
      method: method, pattern: PathPattern(pattern), access: access, body: body,
      action: .later(begin))
  }

  /// Answers a question elsewhere than on the loop's thread.
  static func ask(
    _ pattern: String, _ access: Access,
    _ begin: @escaping @Sendable (Call, @escaping Completion) throws(Problem) -> Void
  ) -> Route {
    Route(
      method: "GET", pattern: PathPattern(pattern), access: access, body: .any,
      action: .later(begin))
  }
}

extension [Route] {
  /// The route that answers a method at a path, with the path's parameters.
  func route(
    of method: String, at path: [String]
  ) -> (route: Route, parameters: [String: String])? {
    let method = method == "HEAD" ? "GET" : method
    for route in self where route.method == method {
      if let parameters = route.pattern.match(path) { return (route, parameters) }
    }
    return nil
  }

  /// The same, each with what all of them read from the query.
  func reading(_ queries: QueryParameter...) -> [Route] {
    map { route in queries.reduce(route) { $0.reading($1) } }
  }
}
