import HTTPListener
import AppStoreModel

/// Apple's own address: the signature is the credential.
struct NotificationRoutes {
  let intake: Intake
  let pool: WorkerPool

  var routes: [Route] {
    [
      Route.write("POST", "/apple/notifications", .open, .any) {
        [intake, pool] call, completion throws(Problem) in
        let request = call.request
        let isQueued = pool.submit {
          guard let jws = NotificationRoutes.signedPayload(of: request.body) else {
            let problem = Problem(.malformedBody, "Expected {\"signedPayload\":\"…\"}.")
            return intake.keep(request.body, isChainTrusted: false, reason: "malformedBody") {
              completion(.failure(problem))
            }
          }
          intake.take(jws, in: request, completion: completion)
        }
        guard isQueued else { throw Problem(.overloaded) }
      }
    ]
  }

  private static func signedPayload(of body: [UInt8]) -> [UInt8]? {
    let json = try? JSONValue(json: body)
    return json?["signedPayload"]?.string.map { Array($0.utf8) }
  }
}
