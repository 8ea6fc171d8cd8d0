extension CreditBook {
  /// Credits of one lot.
  public struct Draw: Hashable, Sendable {
    public let lot: CreditLot.ID
    public let credits: Int64

    public init(lot: CreditLot.ID, credits: Int64) {
      self.lot = lot
      self.credits = credits
    }
  }

  /// What a spend took.
  public struct Settlement: Hashable, Sendable {
    /// In the order of drawing.
    public let draws: [Draw]
    /// What no lot could give.
    public let uncovered: Int64
  }

  /// Sets credits aside, from the lots bought first.
  ///
  /// - Parameter credits: How many.
  /// - Returns: Which ones; `nil`, and nothing is changed, where there are not so many.
  public mutating func hold(_ credits: Int64) -> [Draw]? {
    guard !isFrozen, credits <= available else { return nil }
    let draws = nextDraws(credits)
    for draw in draws { change(draw.lot) { $0.held += draw.credits } }
    return draws
  }

  /// Gives back what was set aside; what is owed is paid from it, unless a refund that is about to
  /// be applied comes first.
  public mutating func release(_ draws: [Draw], paysDebts: Bool = true) {
    for draw in draws { change(draw.lot) { $0.held -= draw.credits } }
    if paysDebts { payDebts() }
  }

  /// Spends credits: first those that were set aside, then more, from the lots bought first.
  ///
  /// All of it is recorded: what no lot can give is owed or written off.
  ///
  /// - Parameters:
  ///   - credits: What was used.
  ///   - held: What was set aside for it; what is left of that is given back.
  ///   - spend: The spend's name.
  ///   - treatment: What becomes of credits that are not there.
  /// - Returns: What it took.
  public mutating func spend(
    _ credits: Int64, held: [Draw] = [], as spend: String, _ treatment: PolicyEntry.SpentCredits
  ) -> Settlement {
    for draw in held { change(draw.lot) { $0.held -= draw.credits } }
    var draws: [Draw] = []
    var missing = credits
    for draw in held where missing > 0 {
      let part = min(draw.credits, missing)
      draws.append(Draw(lot: draw.lot, credits: part))
      missing -= part
    }
    for draw in draws { take(draw, as: spend) }
    for draw in nextDraws(min(missing, available)) {
      take(draw, as: spend)
      missing -= draw.credits
      if let same = draws.firstIndex(where: { $0.lot == draw.lot }) {
        draws[same] = Draw(lot: draw.lot, credits: draws[same].credits + draw.credits)
      } else {
        draws.append(draw)
      }
    }
    if missing > 0 { open(.spend(spend), treatment, missing) }
    payDebts()
    return Settlement(draws: draws, uncovered: missing)
  }

  /// The credits that would be drawn next; there must be so many.
  private func nextDraws(_ credits: Int64) -> [Draw] {
    var draws: [Draw] = []
    var missing = credits
    for lot in lots where missing > 0 && lot.available > 0 {
      let part = min(lot.available, missing)
      draws.append(Draw(lot: lot.id, credits: part))
      missing -= part
    }
    precondition(missing == 0, "What is drawn was available.")
    return draws
  }

  private mutating func take(_ draw: Draw, as spend: String) {
    change(draw.lot) { $0.spent += draw.credits }
    note(.spent, draw.credits, change: -draw.credits, lot: draw.lot, spend: spend)
  }
}
