import AppStoreModel
import ChanceSupport

/// One seeded life, what became known of it, and what is true at the end.
struct RandomHistory {
  let seed: UInt64
  /// Ends with a reading of Apple's API, and retries signed anew after that.
  let told: [Statement]
  let toldAt: Timestamp
  /// The same, and a second reading later than the lag of Apple's API.
  let facts: [Statement]
  let now: Timestamp
  let life: Life

  init(seed: UInt64) {
    self.seed = seed
    var channels = Channels(Life(seed: seed), dice: Dice(seed: ~seed))
    let end = channels.life.now
    channels.readApple(at: end.adding(.minutes(33)))
    channels.sendAgain(after: end.adding(.minutes(33)))
    told = channels.statements
    toldAt = end.adding(.minutes(39))
    channels.readApple(at: end.adding(.minutes(56)))
    facts = channels.statements
    now = end.adding(.minutes(57))
    life = channels.life
  }

  /// The chains of which anything is known.
  var knownOriginals: [String] {
    let known = Set(facts.compactMap { $0.copy?.original })
    return life.originals.filter(known.contains)
  }

  /// Moments worth asking about: after it all, and in the life or at an edge of it.
  var moments: [Timestamp] {
    var dice = Dice(seed: seed ^ 0x5EED)
    guard dice.chance(60) else { return [now] }
    if dice.chance(50), let notice = dice.pick(life.notices) {
      return [now, notice.date.adding(.minutes(5))]
    }
    guard let edge = dice.pick(life.apple.sales.compactMap(\.copy.expires)) else { return [now] }
    return [now, dice.chance(50) ? edge.subtracting(.minutes(1)) : edge.adding(.minutes(20))]
  }

  /// Orders to tell facts in: as they came to be known, backwards, and shuffled with repeats.
  func orders<Element>(of facts: [Element]) -> [[Element]] {
    var dice = Dice(seed: seed &* 31)
    let repeated = dice.shuffled(facts).prefix(facts.count / 2 + 1)
    return [facts, facts.reversed(), dice.shuffled(facts + repeated)]
  }
}

/// The shortest history that still fails, found by leaving out one fact after another.
func shrunk(_ facts: [Statement], while fails: ([Statement]) -> Bool) -> [Statement] {
  var facts = facts
  var place = 0
  while place < facts.count {
    var fewer = facts
    fewer.remove(at: place)
    if fails(fewer) {
      facts = fewer
      place = 0
    } else {
      place += 1
    }
  }
  return facts
}
