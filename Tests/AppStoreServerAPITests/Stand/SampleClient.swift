import AppStoreModel
import AppStoreVerification
import AppStoreSimulator
import Synchronization

@testable import AppStoreServerAPI

/// A client with a scripted App Store, a clock of its own and repeatable chance.
struct SampleClient {
  let clock = TurningClock()
  let transport: ScriptedTransport
  let client: AppStoreServerClient
  private let told = Journal()

  final class Journal: Sendable {
    let lines = Mutex<[ClientEvent]>([])
  }

  init(_ settings: ClientSettings = ClientSettings(), _ transport: ScriptedTransport) throws {
    self.transport = transport
    let told = told
    client = try AppStoreServerClient(
      .sample(), settings, transport, clock.clock, SeededGenerator(seed: 1)
    ) { event in told.lines.withLock { $0.append(event) } }
  }

  init(_ answers: Result<HTTPAnswer, TransportFailure>...) throws {
    try self.init(ClientSettings(), ScriptedTransport(answers))
  }

  var events: [ClientEvent.Kind] { told.lines.withLock { $0.map(\.kind) } }

  /// Asks for a transaction.
  func ask(_ options: CallOptions = CallOptions(.production)) async -> Result<
    String, AppStoreServerError
  > {
    do throws(AppStoreServerError) {
      return .success(try await client.transactionInfo("1", options).text)
    } catch {
      return .failure(error)
    }
  }

  /// Answers a consumption request, once.
  func tellConsumption() async throws -> Result<Int, AppStoreServerError> {
    let options = CallOptions(.production, urgency: .urgent, isSingle: true)
    let information = try ConsumptionInformation(
      about: ConsumptionSubject(
        productType: .consumable, ownership: nil, isAdvancedCommerce: false),
      customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
    do throws(AppStoreServerError) {
      return .success(
        try await client.sendConsumption(information, for: "1", options))
    } catch {
      return .failure(error)
    }
  }

  static let transaction = HTTPAnswer.json(#"{"signedTransactionInfo":"a.b.c"}"#)
}
