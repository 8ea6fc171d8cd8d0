import AppStoreModel
import AppStoreSimulator
import Testing

@testable import clawback

struct InspectCommandTests {
  private let samples: SignedSamples
  private let captured = CapturedConsole()

  init() throws {
    samples = try SignedSamples()
  }

  @Test func `a refund is explained to a person`() throws {
    let code = try inspect(samples.notifications[2])
    #expect(code == .success)
    for words in [
      "verdict       accepted, notification", "for           com.example.app, Sandbox",
      "signed under  test:", "judged at     2026-02-10T00:00:00Z",
      "holds         a verified transaction",
      "It is a refund of an earlier renewal.",
    ] { #expect(captured.output.contains(words), "\(words)") }
    let explanation = captured.output.split(separator: "\n\n").last ?? ""
    #expect(!explanation.split(separator: "\n").contains { $0.count > 80 })
  }

  @Test func `a program reads one object`() throws {
    let code = try inspect(
      "{\"other\":[1],\"signedPayload\":\"\(samples.notifications[2])\"}", "--json")
    let json = try JSONValue(json: Array(captured.output.utf8))
    #expect(code == .success)
    #expect(json["verdict"]?.string == "accepted")
    #expect(json["rule"] == .null)
    #expect(json["kind"]?.string == "notification")
    #expect(json["judgedAt"]?.string == "2026-02-10T00:00:00Z")
    #expect(json["payload"]?["notificationType"]?.string == "REFUND")
    #expect(json["inner"]?.array?.map { $0["kind"]?.string } == ["transaction", "renewalInfo"])
    #expect(json["inner"]?.array?.first?["payload"]?["revocationDate"]?.integer != nil)
    #expect(json["explanation"]?.string?.contains("stays active until") == true)
  }

  @Test(arguments: [
    (["--bundle-id", "com.example.app", "--environment", "Sandbox"], ExitCode.success),
    (["--app-apple-id", "1234567890"], .success),
    (["--bundle-id", "com.example.other"], .failure),
    (["--app-apple-id", "1"], .failure),
    (["--environment", "Production"], .failure),
  ])
  func `app and environment are compared when they are given`(
    options: [String], code: ExitCode
  ) throws {
    #expect(try inspect(samples.notifications[0], options) == code)
  }

  @Test func `every kind is recognised bare and named`() throws {
    let app = samples.sign(
      #"{"receiptType":"Sandbox","bundleId":"com.example.app","receiptCreationDate":1767225600000}"#
    )
    let rows = [
      (samples.transaction, "transaction", "signedTransactionInfo"),
      (samples.renewal, "renewalInfo", "signedRenewalInfo"),
      (app, "appTransaction", "signedAppTransactionInfo"),
    ]
    for (jws, kind, member) in rows {
      for text in [" \(jws)\n", "{\"\(member)\":\"\(jws)\"}"] {
        #expect(try inspect(text) == .success)
        #expect(captured.output.contains("accepted, \(kind)"))
      }
    }
  }

  @Test func `a payload that cannot be read is accepted and said to change nothing`() throws {
    let jws = samples.sign(#"{"notificationType":[1],"signedDate":1767225600000}"#)
    #expect(try inspect(jws) == .success)
    #expect(captured.output.contains("it, acknowledges it, and changes nothing"))
  }

  @Test(arguments: [
    (
      #"{"notificationType":"RENEWAL_EXTENSION","subtype":"SUMMARY","summary":{"bundleId":"b","environment":"Production"},"signedDate":1767225600000}"#,
      "for           b, Production"
    ),
    (
      #"{"notificationType":"RESCIND_CONSENT","appData":{"bundleId":"b","environment":"Sandbox"},"signedDate":1767225600000}"#,
      "for           b, Sandbox"
    ),
    (
      #"{"notificationType":"EXTERNAL_PURCHASE_TOKEN","externalPurchaseToken":{"externalPurchaseId":"SANDBOX1","bundleId":"b"},"signedDate":1767225600000}"#,
      "for           b, Sandbox"
    ),
    (
      #"{"notificationType":"EXTERNAL_PURCHASE_TOKEN","externalPurchaseToken":{"bundleId":"b"},"signedDate":1767225600000}"#,
      "for           b, Production"
    ),
    (
      #"{"notificationType":"LATER","signedDate":1767225600000}"#,
      "for           any app, any environment"
    ),
  ])
  func `whichever container is there names the app`(json: String, row: String) throws {
    #expect(try inspect(samples.sign(json)) == .success)
    #expect(captured.output.contains(row))
  }

  @Test func `a forged signature is refused with what to do`() throws {
    let jws = samples.notifications[0]
    let code = try inspect(String(jws.dropLast(8)) + "AAAAAAAA", "--json")
    let json = try JSONValue(json: Array(captured.output.utf8))
    #expect(code == .failure)
    #expect(json["verdict"]?.string == "refused")
    #expect(json["rule"]?.string == "signature")
    #expect(json["payload"] == .null)
    #expect(json["explanation"]?.string?.hasPrefix("It was refused: its signature") == true)
  }

  @Test func `a simulated purchase is refused under Apple's root`() throws {
    let file = try samples.file("jws", samples.notifications[0])
    #expect(run(["inspect", file]) == .failure)
    #expect(captured.output.contains("refused by rule chain.path"))
  }

  @Test(arguments: [
    ("", "there is nothing in it"),
    (#"{"signedPayload":}"#, "a value expected"),
    (#"{"unsigned":"a.b.c"}"#, "the object has none of signedPayload"),
  ])
  func `what holds nothing to verify is unusable`(text: String, words: String) throws {
    #expect(try inspect(text) == .unusable)
    #expect(captured.diagnostics.contains(words))
    #expect(captured.output.isEmpty)
  }

  @Test func `files that cannot be used are named`() throws {
    #expect(run(["inspect", samples.path("absent")]) == .unusable)
    #expect(captured.diagnostics.contains("absent cannot be read: No such file or directory"))
    let file = try samples.file("jws", "a.b.c")
    #expect(run(["inspect", file, "--root", file]) == .unusable)
    #expect(run(["inspect", file, "--app-apple-id", "-1"]) == .unusable)
    #expect(captured.diagnostics.contains("--app-apple-id cannot be '-1'."))
  }

  @Test func `what is no single item is told apart, with what to do`() throws {
    let archive = samples.notifications.map { "{\"signedPayload\":\"\($0)\"}" }
    for (text, says) in [
      (archive.joined(separator: "\n"), "it holds 3 items, one a line"),
      (samples.notifications.joined(separator: "\n"), "it holds 3 items, one a line"),
      (" \n", "there is nothing in it"), ("\u{0}\u{1}", "it is binary"),
    ] {
      #expect(try inspect(text) == .unusable)
      #expect(captured.diagnostics.contains(says))
    }
    #expect(captured.diagnostics.contains("clawback replay"))
    let certificate = try samples.file("root.der", samples.authority.root.der)
    #expect(run(["inspect", certificate]) == .unusable)
    #expect(captured.diagnostics.contains("A certificate is given with --root"))
    #expect(run(["inspect", samples.folder]) == .unusable)
    #expect(captured.diagnostics.contains("Is a directory.\nName a file in it."))
    #expect(try inspect(archive[0] + "\n") == .success)
  }

  private func inspect(_ text: String, _ options: String...) throws -> ExitCode {
    try inspect(text, options)
  }

  private func inspect(_ text: String, _ options: [String]) throws -> ExitCode {
    let file = try samples.file("input", text)
    return run(["inspect", file, "--root", try samples.root] + options)
  }

  private func run(_ words: [String]) -> ExitCode {
    Dispatcher(commands: CommandList.all).run(words, on: captured.console())
  }
}
