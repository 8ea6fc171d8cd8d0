import AppStoreSimulator
import Foundation
import Testing

@testable import AppStoreVerification

struct ChainCacheTests {
  @Test func `three texts of one leaf cost one check of the chain`() throws {
    let store = SampleStore.good
    let verifier = try store.verifier()
    let text = Array(store.wholeNotification().utf8)
    #expect(!text.withUnsafeBufferPointer { verifier.knowsChain(of: $0) })
    for _ in 1...3 { _ = try verifier.verifyNotification(text, now: SampleStore.now) }
    #expect(verifier.chainStatistics.accepted == 1)
    #expect(verifier.chainStatistics.known == 8)
    #expect(text.withUnsafeBufferPointer { verifier.knowsChain(of: $0) })
    #expect(![1, 2].withUnsafeBufferPointer { verifier.knowsChain(of: $0) })
  }

  @Test func `a refused chain is not remembered, and is counted`() throws {
    let store = SampleStore.good
    let verifier = try store.verifier()
    let forged = SampleStore(seed: 2).transaction()
    for _ in 1...3 { #expect(verifier.refusal(ofTransaction: forged) != nil) }
    #expect(verifier.chainStatistics.refused == 3)
    #expect(!Array(forged.utf8).withUnsafeBufferPointer { verifier.knowsChain(of: $0) })
  }

  @Test func `a header that differs in one certificate is another chain`() throws {
    let store = SampleStore.good
    let verifier = try store.verifier()
    #expect(verifier.refusal(ofTransaction: store.transaction()) == nil)
    let third = store.signer(chain: Array(store.authority.chain.prefix(2)) + [[1]])
    #expect(verifier.refusal(ofTransaction: store.transaction(by: third)) == nil)
    #expect(verifier.chainStatistics.accepted == 2)
  }

  @Test func `an inner JWS costs nothing before the outer one is proved`() throws {
    let store = SampleStore.good
    let verifier = try store.verifier()
    let inner = SampleStore(seed: 2).transaction()
    #expect(
      verifier.refusal(ofNotification: store.notification(transaction: inner, .flipped))?.part
        == .notification)
    #expect(verifier.chainStatistics.refused == 0)
  }

  @Test func `the chain used least lately gives way`() throws {
    let store = SampleStore.good
    let verifier = try store.verifier()
    let texts = (0..<70).map { number in
      store.transaction(
        by: store.signer { $0.others = [("kid", "\"\(number)\"")] })
    }
    for text in texts {
      #expect(verifier.refusal(ofTransaction: text) == nil)
      #expect(verifier.refusal(ofTransaction: texts[0]) == nil)
    }
    #expect(verifier.chainStatistics.accepted == 70)
    let known = texts.map { text in
      Array(text.utf8).withUnsafeBufferPointer { verifier.knowsChain(of: $0) }
    }
    #expect(known.count { $0 } == SignedDataVerifier.chainCapacity)
    #expect(known[0] && !known[1] && known[69])
  }

  @Test func `threads share one verifier`() async throws {
    let store = SampleStore.good
    let verifier = try store.verifier(.sample)
    let good = (0..<8).map { number in
      Array(
        store.wholeNotification(
          by: store.signer { $0.others = [("kid", "\"\(number)\"")] }
        ).utf8)
    }
    let bad = Array(store.wholeNotification(.flipped).utf8)
    let failures = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var failures = 0
          for round in 0..<20 {
            let text = good[(worker + round) % good.count]
            if (try? verifier.verifyNotification(text, now: SampleStore.now)) == nil {
              failures += 1
            }
            if (try? verifier.verifyNotification(bad, now: SampleStore.now)) != nil {
              failures += 1
            }
          }
          return failures
        }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
  }

  @Test func `nothing in the verifier can open a connection`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/AppStoreVerification")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var read = 0
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      read += 1
      let source = try String(contentsOf: file, encoding: .utf8)
      for word in ["import Foundation", "import CCurl", "socket(", "connect(", "OCSP_", "BIO_"] {
        #expect(!source.contains(word), "\(file.lastPathComponent) names \(word)")
      }
    }
    #expect(read > 20)
  }
}
