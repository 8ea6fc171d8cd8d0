import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage

extension JSONWriter {
  /// What a report is about: the members that every report begins with.
  mutating func scope(_ scope: Scope) {
    member("app", scope.bundleId)
    member("environment", scope.environment.rawValue)
    member("realm", scope.realm.description)
  }

  mutating func lateRefund(_ late: LateRefund) {
    object { writer in
      writer.member("originalTransactionId", late.listed.chain.originalTransactionId)
      writer.member("customer", late.listed.customer?.text)
      writer.members(of: late.listed.refund)
      writer.member("signalledMilliunits", late.signalled?.milliunits)
      writer.member("reversedAtMs", late.reversedAt?.millisecondsSince1970)
      writer.sightings(late.sighted)
      writer.spend(late.spend)
    }
  }

  private mutating func sightings(_ sighted: SightedRefund) {
    member("isBackfilled", sighted.isBackfilled)
    member("firstSeenAtMs", sighted.first?.receivedAt.millisecondsSince1970)
    member("firstChannel", sighted.first?.channel.rawValue)
    member(
      "deviceClaimsAtMs", sighted.sighting(by: .device)?.signedAt.millisecondsSince1970)
    name("channels")
    array { writer in
      for sighting in sighted.sightings {
        writer.object { writer in
          writer.member("channel", sighting.channel.rawValue)
          writer.member("receivedAtMs", sighting.receivedAt.millisecondsSince1970)
          writer.member("delayMs", sighted.delay(of: sighting).milliseconds)
        }
      }
    }
  }

  private mutating func spend(_ spend: LateSpend) {
    name("spend")
    object { writer in
      writer.amounts("before", spend.before)
      writer.amounts("unseen", spend.unseen)
      writer.amounts("ignored", spend.ignored)
      writer.amounts("afterReversal", spend.afterReversal)
    }
    name("stoppedHolds")
    object { writer in
      writer.member("count", spend.stoppedHolds)
      writer.amounts("amounts", spend.stopped)
    }
  }

  private mutating func amounts(_ name: String, _ amounts: SpentAmounts) {
    self.name(name)
    array { writer in
      for amount in amounts.amounts {
        writer.object { writer in
          writer.member("microunits", amount.microunits)
          writer.member("currency", amount.currency.code)
        }
      }
    }
  }
}

extension JSONWriter {
  mutating func signals(_ report: SignalReport, of scope: Scope) {
    object { writer in
      writer.scope(scope)
      writer.member("refunds", report.refunds)
      writer.member("backfilled", report.backfilled)
      writer.member("unsighted", report.unsighted)
      writer.delays("anyChannel", report.anyChannel)
      writer.name("channels")
      writer.array { writer in
        for line in report.lines {
          writer.object { writer in
            writer.member("channel", line.channel.rawValue)
            writer.member("brought", line.brought)
            writer.member("first", line.first)
            writer.member("missedAlone", line.missedAlone)
            writer.delays("delay", line.delays)
          }
        }
      }
    }
  }

  private mutating func delays(_ name: String, _ delays: SignalReport.Delays?) {
    guard let delays else { return }
    self.name(name)
    object { writer in
      writer.member("medianMs", delays.median.milliseconds)
      writer.member("p95Ms", delays.p95.milliseconds)
      writer.member("worstMs", delays.worst.milliseconds)
    }
  }

  mutating func moneyLine(_ line: MoneyReport.Line) {
    object { writer in
      writer.member("periodStartMs", line.key.periodStart.millisecondsSince1970)
      writer.member("productId", line.key.productId)
      writer.member("currency", line.key.currency.isEmpty ? nil : line.key.currency)
      writer.member("netMilliunits", line.netMilliunits)
      for column in MoneyColumn.all {
        let sum = line[column.kind]
        writer.name(column.name)
        writer.object { writer in
          writer.member("count", sum.count)
          guard column.hasAmount else { return }
          writer.member("unpriced", sum.unpriced)
          writer.member("milliunits", sum.milliunits)
        }
      }
    }
  }
}

/// A kind of movement under the name that answers give it.
struct MoneyColumn {
  let kind: MoneyMovement.Kind
  let name: String
  /// Whether there is money in it; of a decline, money that was asked for.
  var hasAmount: Bool { kind.movesMoney || kind == .decline }

  static let all = [
    MoneyColumn(kind: .fullRefund, name: "fullRefunds"),
    MoneyColumn(kind: .proratedRefund, name: "proratedRefunds"),
    MoneyColumn(kind: .itemRefund, name: "itemRefunds"),
    MoneyColumn(kind: .reversal, name: "reversals"),
    MoneyColumn(kind: .decline, name: "declines"),
    MoneyColumn(kind: .familyRevocation, name: "familyRevocations"),
    MoneyColumn(kind: .seatRevocation, name: "seatRevocations"),
    MoneyColumn(kind: .bundleMove, name: "bundleMoves"),
    MoneyColumn(kind: .unclassified, name: "unclassified"),
  ]
}
