import AppStoreModel
import EntitlementLedger
import Testing

struct AlertTests {
  private static let catalog = Catalog([CatalogEntry(productId: "pro", entitlements: ["pro"])])

  private static func edited(
    _ change: (inout JWSTransactionDecodedPayload) -> Void
  ) -> JWSTransactionDecodedPayload {
    Sample.month("1", from: .day(0), signed: .day(0), change)
  }

  @Test(
    arguments: [
      (edited { _ in }, []),
      (edited { $0.type = .unknown("Rental") }, [("type", "Rental")]),
      (edited { $0.inAppOwnershipType = .unknown("LENT") }, [("inAppOwnershipType", "LENT")]),
      (
        edited { $0 = $0.revoked(.day(1), reason: .unknown(9), type: .unknown("RECALLED")) },
        [("revocationType", "RECALLED"), ("revocationReason", "9")]
      ),
      (edited { $0.productId = "plus" }, [("productId", "plus")]),
    ] as [(JWSTransactionDecodedPayload, [(String, String)])])
  func `a value without a meaning is raised with its name`(
    payload: JWSTransactionDecodedPayload, expected: [(String, String)]
  ) throws {
    let alerts = try seen(payload).alerts(catalog: Self.catalog)
    #expect(alerts.map { "\($0.field) \($0.value)" } == expected.map { "\($0.0) \($0.1)" })
  }

  @Test func `unknown kinds of notification and unknown statuses are raised`() throws {
    let fact = try notified(
      .unknown("GIFTED"), .day(1), Sample.month(), status: .unknown(6))
    #expect(fact.alerts(catalog: .empty).map(\.value) == ["GIFTED", "6"])
    let status = try reported(.unknown(7), Sample.month())
    #expect(status.alerts(catalog: .empty) == [Alert(.unknownValue, field: "status", value: "7")])
  }

  @Test func `a product is unmapped only where a catalog lists others`() throws {
    let fact = try seen(Self.edited { $0.productId = "plus" })
    #expect(fact.alerts(catalog: .empty) == [])
    #expect(fact.alerts(catalog: Self.catalog).map(\.kind) == [.unmappedProduct])
  }

  @Test func `a revocation without a reason is raised while it stands`() throws {
    let revoked = Sample.month().revoked(.day(2), reason: nil)
    let revoke = try notified(.revoke, .day(2), revoked)
    #expect(chain(revoke).unclassifiedRevocations.map(\.value) == ["1"])
    let reversal = try notified(.refundReversed, .day(3), Sample.month(signed: .day(3)))
    #expect(chain(revoke, reversal).unclassifiedRevocations == [])
  }
}
