/// Tells the demo to people, one aligned line a step.
struct DemoNarration {
  private static let rule = String(repeating: "─", count: 76)

  let console: Console

  func begin(at base: String) {
    console.print("A simulated App Store and the real server, over HTTP at \(base).")
    console.print("")
    console.print(Self.line("what happens", "gate", "because", "after"))
    console.print("  " + Self.rule)
  }

  func tell(_ step: DemoStep) {
    let gate = step.decision == "deny" ? "DENY" : step.decision ?? "-"
    let time = Decimals.one(step.milliseconds) + " ms"
    console.print(Self.line(step.sentence, gate, step.reason, time))
  }

  func end(_ money: DemoMoney) {
    console.print("  " + Self.rule)
    console.print("")
    let amounts: [(String, Int)] = [
      ("after Ada's refund", money.afterRefund), ("after its reversal", money.afterReversal),
      ("after the end of sharing", money.afterFamilyRevocation),
      ("after the refund of Cleo's second month", money.afterOldRenewalRefund),
    ]
    console.print("  money given back, as the ledger has it")
    for (moment, milliunits) in amounts {
      let amount = Self.dollars(milliunits).aligned(to: 6)
      console.print("    " + moment.padded(to: 42) + amount + " USD")
    }
  }

  static func dollars(_ milliunits: Int) -> String {
    let cents = (milliunits + 5) / 10
    return "\(cents / 100)." + String(cents % 100 + 100).dropFirst()
  }

  static func line(_ what: String, _ gate: String, _ reason: String, _ time: String) -> String {
    "  " + what.padded(to: 44) + gate.padded(to: 7) + reason.padded(to: 14) + time.aligned(to: 11)
  }
}
