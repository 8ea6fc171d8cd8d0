import AppStoreModel
import AppStoreVerification
import Foundation
import Testing

/// Texts that Apple really signed; they are no part of this repository.
///
/// `CLAWBACK_REAL_SIGNED` names the folder that holds them, one compact JWS a file.
struct RealSignedTests {
  private static let folder = ProcessInfo.processInfo.environment["CLAWBACK_REAL_SIGNED"]
  /// 2026-11-30T00:00:00Z.
  private static let now = Timestamp(millisecondsSince1970: 1_795_996_800_000)

  private static let notice: Comment = "CLAWBACK_REAL_SIGNED names no folder of signed texts"

  typealias Row = (
    file: String, bundleID: String, environment: ServerEnvironment, rule: VerificationRule?
  )

  static let rows: [Row] = [
    ("011.txt", "com.audaos.audarecorder", .sandbox, nil),
    ("019.txt", "com.Abilities", .sandbox, nil),
    ("021.txt", "com.nineton.taller", .production, nil),
    ("029.txt", "com.cynet.xingqi", .sandbox, nil),
    ("030.txt", "com.cynet.xingqi", .sandbox, nil),
    ("031.txt", "com.cynet.xingqi", .sandbox, nil),
    ("038.txt", "com.loki-project.loki-messenger", .sandbox, nil),
    ("084.txt", "com.example.app", .sandbox, .signature),
    ("094.txt", "com.example", .sandbox, .chainPath),
  ]

  @Test(.enabled(if: folder != nil, notice), arguments: rows.indices)
  func `Apple's own notifications get the verdict they deserve`(row: Int) throws {
    let row = Self.rows[row]
    let verifier = try SignedDataVerifier(
      roots: [.apple],
      allowed: .comparing(bundleID: row.bundleID, appAppleID: nil, environment: row.environment))
    #expect(Self.refusal(row.file, verifier)?.cause == row.rule, "\(row.file)")
  }

  @Test(.enabled(if: folder != nil, notice))
  func `what Apple's test root signed is accepted under that root`() throws {
    let root = try TrustedRoot(certificate: Self.bytes("094-test-root.der"))
    let verifier = try SignedDataVerifier(
      roots: [root],
      allowed: .comparing(bundleID: "com.example", appAppleID: nil, environment: .sandbox))
    let text = Self.text("094.txt")
    let notification = try verifier.verifyNotification(text, now: Self.now)
    #expect(notification.realm == .test(fingerprint: root.fingerprint))
    #expect(notification.outer.payload?.notificationType?.rawValue == "TEST")
  }

  @Test(.enabled(if: folder != nil, notice))
  func `a genuine notification without a date is judged at its transaction's`() throws {
    let verifier = try SignedDataVerifier(roots: [.apple], allowed: .any)
    let notification = try verifier.verifyNotification(Self.text("011.txt"), now: Self.now)
    #expect(notification.outer.payload?.signedDate == nil)
    #expect(notification.outer.judgedAt == notification.transaction?.payload?.signedDate)
    #expect(notification.outer.signer.validUntil < Self.now)
    #expect(notification.realm == .apple)
  }

  @Test(.enabled(if: folder != nil, notice))
  func `a transaction that Xcode signed is refused`() throws {
    let verifier = try SignedDataVerifier(roots: [.apple], allowed: .any)
    #expect(throws: VerificationError(.chainLength, in: .transaction)) {
      try verifier.verifyTransaction(Self.text("088.txt"), now: Self.now)
    }
  }

  private static func bytes(_ file: String) -> [UInt8] {
    guard let folder, let data = FileManager.default.contents(atPath: folder + "/" + file) else {
      return []
    }
    return Array(data)
  }

  private static func text(_ file: String) -> [UInt8] {
    bytes(file).filter { $0 > 0x20 }
  }

  private static func refusal(_ file: String, _ verifier: SignedDataVerifier) -> VerificationError?
  {
    do throws(VerificationError) {
      _ = try verifier.verifyNotification(text(file), now: now)
      return nil
    } catch {
      return error
    }
  }
}
