import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

struct EitherEnvironmentTests {
  private static let unknown = HTTPAnswer.error(4_040_010)
  private static let found = SampleClient.transaction
  private static let refused = HTTPAnswer(status: 401)
  private static let broken = HTTPAnswer(status: 502)

  private static func locate(
    _ production: HTTPAnswer, _ sandbox: HTTPAnswer
  ) async throws -> Result<ServerEnvironment, AppStoreServerError> {
    let sample = try SampleClient(
      ClientSettings(),
      ScriptedTransport { call, _ in
        .success(call.url.contains("sandbox") ? sandbox : production)
      })
    do throws(AppStoreServerError) {
      return .success(try await sample.client.locateTransaction("1").environment)
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [
    (found, found, Result<ServerEnvironment, AppStoreServerError>.success(.production)),
    (unknown, found, .success(.sandbox)),
    (unknown, unknown, .failure(.unknownTransaction)),
    (.error(4_040_005), .error(4_040_010), .failure(.unknownTransaction)),
    // An outage of either is no "unknown".
    (broken, found, .failure(.unexpectedStatus(502))),
    (unknown, broken, .failure(.unexpectedStatus(502))),
    (.error(4_000_006), found, .failure(HTTPAnswer.error(4_000_006).refusal)),
    // Before the release production refuses; the testers' purchases are in the sandbox.
    (refused, found, .success(.sandbox)),
    (refused, unknown, .failure(.unauthorized(Unauthorized(.production, .notReleased)))),
    (refused, refused, .failure(.unauthorized(Unauthorized(.production, .keyRefused)))),
  ])
  func `production is asked first, and only what it does not know in the sandbox`(
    production: HTTPAnswer, sandbox: HTTPAnswer,
    expected: Result<ServerEnvironment, AppStoreServerError>
  ) async throws {
    #expect(try await Self.locate(production, sandbox) == expected)
  }
}
