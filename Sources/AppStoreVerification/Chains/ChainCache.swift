import Synchronization

/// The chains found good lately, the one used last in front.
///
/// Only good ones are kept, so that a sender without a trusted certificate can neither fill it nor
/// push anything out. Apple signs with one leaf for about two years: the usual look-up is one
/// comparison of bytes.
final class ChainCache: Sendable {
  private struct State {
    var chains: [SigningChain] = []
    var statistics = ChainStatistics()
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  var statistics: ChainStatistics { state.withLock { $0.statistics } }

  func chain(for segment: UnsafeBufferPointer<UInt8>) -> SigningChain? {
    let chains = state.withLock { $0.chains }
    guard let index = chains.firstIndex(where: { $0.matches(segment) }) else { return nil }
    let chain = chains[index]
    state.withLock { state in
      state.statistics.known += 1
      if index > 0 { Self.bringForward(chain, in: &state.chains) }
    }
    return chain
  }

  func contains(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
    state.withLock { $0.chains }.contains { $0.matches(segment) }
  }

  func insert(_ chain: SigningChain) {
    state.withLock { state in
      state.statistics.accepted += 1
      let known = chain.header.segment
      state.chains.removeAll { $0.header.segment == known }
      state.chains.insert(chain, at: 0)
      if state.chains.count > capacity { state.chains.removeLast() }
    }
  }

  func noteRefusal() {
    state.withLock { $0.statistics.refused += 1 }
  }

  private static func bringForward(_ chain: SigningChain, in chains: inout [SigningChain]) {
    // Another thread may have moved or dropped it meanwhile.
    guard let index = chains.firstIndex(where: { $0 === chain }) else { return }
    chains.remove(at: index)
    chains.insert(chain, at: 0)
  }
}
