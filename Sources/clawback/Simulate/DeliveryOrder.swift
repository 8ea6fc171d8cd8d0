import AppStoreSimulator

/// In what order notifications arrive.
enum DeliveryOrder: String, CaseIterable {
  case given
  case reversed
  case shuffled

  func arrange<Item>(_ items: [Item], seed: UInt64) -> [Item] {
    switch self {
    case .given: return items
    case .reversed: return items.reversed()
    case .shuffled:
      var dice = SeededGenerator(seed: seed)
      return items.shuffled(using: &dice)
    }
  }
}
