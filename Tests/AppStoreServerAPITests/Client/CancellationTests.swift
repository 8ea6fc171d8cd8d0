import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

/// What ends these tests is the cancellation: whatever did not heed it would wait for ever.
struct CancellationTests {
  /// A clock whose waits end by cancellation alone.
  private static let frozen = APIClock(now: { TurningClock.start }) { _ in
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
  }

  private static func client(
    _ transport: ScriptedTransport, perHour: Int64 = 180_000
  ) throws -> AppStoreServerClient {
    var settings = ClientSettings()
    settings.limits.set(HourlyLimit(callsPerHour: perHour), for: .transactionInfo)
    return try AppStoreServerClient(
      .sample(), settings, transport, frozen, SystemRandomNumberGenerator())
  }

  private static func ask(
    _ client: AppStoreServerClient
  ) -> Task<AppStoreServerError?, Never> {
    Task {
      do throws(AppStoreServerError) {
        _ = try await client.transactionInfo("1", CallOptions(.production, patience: .hours(9)))
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `in the queue`() async throws {
    let client = try Self.client(
      ScriptedTransport([.success(SampleClient.transaction)]), perHour: 1)
    #expect(await Self.ask(client).value == nil)
    let waiting = Self.ask(client)
    while client.load(.transactionInfo, in: .production).waiting == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    #expect(client.load(.transactionInfo, in: .production).waiting == 0)
  }

  @Test func `before it begins`() async throws {
    let client = try Self.client(ScriptedTransport([.success(SampleClient.transaction)]))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await Self.cancelledHere(client)
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(client.load(.transactionInfo, in: .production).running == 0)
  }

  private static func cancelledHere(
    _ client: AppStoreServerClient
  ) async -> AppStoreServerError? {
    do throws(AppStoreServerError) {
      _ = try await client.transactionInfo("1", CallOptions(.production))
      return nil
    } catch {
      return error
    }
  }

  @Test func `in a rest`() async throws {
    let transport = ScriptedTransport([.success(HTTPAnswer(status: 502))])
    let client = try Self.client(transport)
    let resting = Self.ask(client)
    while transport.calls.isEmpty { await Task.yield() }
    resting.cancel()
    #expect(await resting.value == .cancelled)
    #expect(transport.calls.count == 1)
    #expect(client.load(.transactionInfo, in: .production).running == 0)
  }
}
