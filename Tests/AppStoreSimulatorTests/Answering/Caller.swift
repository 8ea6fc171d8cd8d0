import AppStoreModel
import AppStoreSimulator

/// Somebody who calls a simulated App Store, with a good token unless told otherwise.
struct Caller {
  static let now = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  var server: SimulatedServer
  var now = Caller.now

  /// Calls a store in which nothing has happened.
  init(hasReceiver: Bool = false) {
    self.init(.production, hasReceiver: hasReceiver) { _, _ in }
  }

  /// Calls a store in which a story has played; its time is that of the store.
  init(
    _ environment: AppStoreEnvironment = .production, hasReceiver: Bool = false,
    faults: PlannedFaults = PlannedFaults(),
    _ story: (inout SimulatedAppStore, Timestamp) throws -> Void
  ) rethrows {
    var store = SimulatedAppStore(app: SimulatedApp(environment: environment), seed: 5)
    try story(&store, Caller.now)
    server = SimulatedServer(
      store, seed: 5, signer: JWSSigner(CertificateAuthority(seed: 5)), faults: faults,
      from: Caller.now.subtracting(.days(20)), hasReceiver: hasReceiver, at: Caller.now)
  }

  mutating func call(_ method: String, _ path: String, _ body: String = "") -> APIAnswer {
    let halves = path.split(separator: "?", maxSplits: 1)
    let query = (halves.count == 2 ? halves[1].split(separator: "&") : []).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: String(parts[1]))
    }
    let request = APIRequest(
      method, halves[0].split(separator: "/").map(String.init), query: query,
      authorization: "Bearer " + Token().text(server.key, at: now), body: Array(body.utf8))
    return server.answer(request, at: now)
  }

  mutating func get(_ path: String) throws -> JSONValue { try object(call("GET", path)) }

  mutating func post(_ path: String, _ body: String) throws -> JSONValue {
    try object(call("POST", path, body))
  }

  private func object(_ answer: APIAnswer) throws -> JSONValue { try JSONValue(json: answer.body) }

  /// Shape: the HTTP status, and Apple's code if there is one.
  mutating func verdict(_ method: String, _ path: String, _ body: String = "") -> String {
    let answer = call(method, path, body)
    let code = (try? JSONValue(json: answer.body))?["errorCode"]?.integer
    return [String(answer.status), code.map(String.init)].compactMap { $0 }.joined(separator: " ")
  }

  /// The payload of a compact JWS.
  static func payload(_ jws: String?) throws -> JSONValue {
    let parts = (jws ?? "").split(separator: ".")
    return try JSONValue(json: parts.count == 3 ? Base64.decodedURL(parts[1]) ?? [] : [])
  }

  static func ids(_ answer: JSONValue) throws -> [String?] {
    try (answer["signedTransactions"]?.array ?? []).map {
      try payload($0.string)["transactionId"]?.string
    }
  }
}

/// A token, each part of which can be spoiled.
struct Token {
  var algorithm = "ES256"
  var keyId: String?
  var issuer: String?
  var audience = "appstoreconnect-v1"
  var bundle = "com.example.app"
  /// Unit: seconds before now; absent leaves `iat` out.
  var age: Int64? = 0
  /// Unit: seconds after now; absent leaves `exp` out.
  var life: Int64? = 300
  var form = SignatureForm.raw

  func text(_ key: APIKey, at now: Timestamp) -> String {
    let seconds = now.millisecondsSince1970 / 1_000
    let times =
      (age.map { ",\"iat\":\(seconds - $0)" } ?? "")
      + (life.map { ",\"exp\":\(seconds + $0)" } ?? "")
    var header = JWSHeader(chain: nil)
    header.algorithm = algorithm
    header.others = [("kid", "\"\(keyId ?? key.keyId)\""), ("typ", "\"JWT\"")]
    let claims =
      "{\"iss\":\"\(issuer ?? key.issuerId)\",\"aud\":\"\(audience)\",\"bid\":\"\(bundle)\"\(times)}"
    return JWSSigner(key: key.key, header: header).sign(Array(claims.utf8), form)
  }
}
