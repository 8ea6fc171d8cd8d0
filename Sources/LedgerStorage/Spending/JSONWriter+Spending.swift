package import AppStoreModel
package import EntitlementLedger

extension JSONWriter {
  /// In microunits always, and in the unit of prices where that is exact.
  package mutating func cost(_ name: String, _ cost: Cost) {
    self.name(name)
    object { writer in
      writer.member("microunits", cost.microunits)
      writer.member("milliunits", cost.money?.milliunits)
      writer.member("currency", cost.currency.code)
    }
  }

  /// An answer of the spend gate, as events and answers show it.
  package mutating func authorization(
    _ authorization: SpendAuthorization, _ record: SpendRecord? = nil
  ) {
    object { writer in
      writer.member("id", authorization.id)
      writer.name("customer")
      writer.string(authorization.customer.id.text)
      writer.members(of: authorization.customer.scope)
      writer.members(of: authorization)
      guard let record else { return }
      writer.cost("settled", record.cost)
      writer.member("spendId", record.id)
      writer.member("aboveHold", record.isAboveHold)
      writer.member("uncoveredCredits", record.uncovered == 0 ? nil : record.uncovered)
      writer.member("late", record.lateness?.rawValue)
    }
  }

  private mutating func members(of authorization: SpendAuthorization) {
    members(of: authorization.purpose)
    member("decision", authorization.isAllowed ? "allow" : "deny")
    member("reason", authorization.presentReason)
    member("state", authorization.state.rawValue)
    member("version", authorization.version)
    member("originalTransactionId", authorization.originalTransactionId)
    member("transactionId", authorization.transactionId)
    if !authorization.draws.isEmpty {
      name("draws")
      array { writer in
        for draw in authorization.draws {
          writer.object { writer in
            writer.member("originalTransactionId", draw.originalTransactionId)
            writer.member("transactionId", draw.transactionId)
            writer.member("credits", draw.credits)
          }
        }
      }
    }
    cost("amount", authorization.cost)
    member("degraded", authorization.isDegraded ? true : nil)
    member("decidedAtMs", authorization.decidedAt.millisecondsSince1970)
    member("lapsesAtMs", authorization.lapsesAt?.millisecondsSince1970)
    member("endedAtMs", authorization.endedAt?.millisecondsSince1970)
  }

  private mutating func members(of purpose: SpendPurpose) {
    member("entitlement", purpose.entitlement)
    member("kind", purpose.measure.kind)
    member("unit", purpose.measure.unit)
    member("units", purpose.measure.units)
    guard let credits = purpose.credits else { return }
    name("credits")
    object { writer in
      writer.member("unit", credits.unit)
      writer.member("amount", credits.amount)
    }
  }

  /// What was spent, and what it is charged to.
  package mutating func spend(_ record: SpendRecord) {
    object { writer in
      writer.member("id", record.id)
      writer.member("position", record.position)
      writer.name("customer")
      writer.string(record.customer.id.text)
      writer.members(of: record.customer.scope)
      writer.member("authorization", record.authorizationId)
      writer.member("runningCost", record.runningCost)
      if let period = record.period {
        writer.member("periods", record.periods)
        writer.member("periodMs", period.milliseconds)
      }
      writer.members(of: record.purpose)
      writer.cost("amount", record.cost)
      writer.name("charges")
      writer.array { writer in for charge in record.charges { writer.charge(charge) } }
      writer.member("uncoveredCredits", record.uncovered == 0 ? nil : record.uncovered)
      writer.member("aboveHold", record.isAboveHold)
      writer.member("late", record.lateness?.rawValue)
      writer.member("degraded", record.isDegraded ? true : nil)
      writer.member("spentAtMs", record.spentAt.millisecondsSince1970)
      writer.member("recordedAtMs", record.recordedAt.millisecondsSince1970)
    }
  }

  private mutating func charge(_ charge: SpendRecord.Charge) {
    object { writer in
      writer.member("originalTransactionId", charge.originalTransactionId)
      writer.member("transactionId", charge.transactionId)
      writer.cost("amount", charge.cost)
      writer.member("credits", charge.credits == 0 ? nil : charge.credits)
      writer.member("late", charge.lateness?.rawValue)
    }
  }

  private mutating func members(of scope: Scope) {
    member("app", scope.bundleId)
    member("environment", scope.environment.rawValue)
    member("realm", scope.realm.description)
  }
}
