import Foundation
import Testing

@testable import clawback

@Suite(.serialized)
struct DemoCommandTests {
  struct Result: Decodable {
    struct Step: Decodable {
      let name: String
      let decision: String?
      let reason: String
      let milliseconds: Double
    }
    let steps: [Step]
    let money: [String: Money]
  }

  enum Money: Decodable, Equatable {
    case text(String)
    case milliunits(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .milliunits(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  static let steps = """
    purchase                     allow  activePeriod
    spendAfterPurchase           allow  activePeriod
    refund                       deny   refunded
    spendAfterRefund             deny   refunded
    refundReversed               allow  activePeriod
    spendAfterReversal           allow  activePeriod
    familyShared                 allow  activePeriod
    familyRevoked                deny   familyRevoked
    olderSubscription            allow  activePeriod
    oldRenewalRefunded           allow  activePeriod
    spendAfterOldRenewalRefund   allow  activePeriod
    """.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }

  private func run(_ words: String...) -> (code: ExitCode, output: String) {
    let captured = CapturedConsole()
    let code = Dispatcher(commands: [DemoCommand()]).run(["demo"] + words, on: captured.console())
    return (code, captured.output)
  }

  @Test func `the whole story is right, over HTTP, step by step`() throws {
    let (code, output) = run("--once", "--json")
    #expect(code == .success)
    let result = try JSONDecoder().decode(Result.self, from: Data(output.utf8))
    #expect(result.steps.map { [$0.name, $0.decision ?? "-", $0.reason] } == Self.steps)
    #expect(result.steps.allSatisfy { $0.milliseconds > 0 })
    #expect(
      result.money == [
        "currency": .text("USD"),
        "refundedMilliunitsAfterRefund": .milliunits(9_990),
        "refundedMilliunitsAfterReversal": .milliunits(0),
        "refundedMilliunitsAfterFamilyRevocation": .milliunits(0),
        "refundedMilliunitsAfterOldRenewalRefund": .milliunits(9_990),
      ])
  }

  @Test func `the narration is aligned and has a line for each step`() {
    let (code, output) = run("--once")
    #expect(code == .success)
    let lines = output.split(separator: "\n")
    let steps = lines.filter { $0.hasSuffix(" ms") }
    #expect(steps.count == Self.steps.count)
    #expect(Set(steps.map(\.count)).count == 1)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [(0, "0.00"), (9_990, "9.99"), (12_345, "12.35"), (50, "0.05")])
  func `an amount has two decimals`(milliunits: Int, text: String) {
    #expect(DemoNarration.dollars(milliunits) == text)
  }
}
