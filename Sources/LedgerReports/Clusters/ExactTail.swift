/// The chance that so many of a number of independent events fall into one part of the time.
///
/// Given how many refunds of each kind there were in all, how they fall into window and reference is
/// binomial if the rate did not change; over several kinds the count in the window is a sum of
/// binomials, and its tail is computed in full, without a limit theorem.
///
/// Source: J. Przyborowski and H. Wilenski, "Homogeneity of results in testing samples from Poisson
/// series", Biometrika 31 (1940), for one kind; the sum over kinds is their convolution.
struct ExactTail {
  /// Events of one kind: each falls into the window with chance `inside / (inside + outside)`.
  struct Stratum: Hashable {
    let events: Int64
    let inside: Int64
    let outside: Int64

    var chance: Double { Double(inside) / Double(inside + outside) }
    var rest: Double { Double(outside) / Double(inside + outside) }
  }

  private(set) var strata: [Stratum] = []
  /// How many of the events fall into the window on average.
  private(set) var mean = 0.0
  private(set) var variance = 0.0

  mutating func add(_ stratum: Stratum) {
    guard stratum.events > 0 else { return }
    strata.append(stratum)
    mean += Double(stratum.events) * stratum.chance
    variance += Double(stratum.events) * stratum.chance * stratum.rest
  }

  /// The chance of `count` or more.
  ///
  /// Every step adds products of numbers that are not negative, so each loses at most a few units in
  /// the last place: with fewer than 100,000 events the result is within one part in 10^9, and it is
  /// raised by that much. It is never too small.
  func atLeast(_ count: Int) -> Double {
    guard count > 0 else { return 1 }
    // What is below `count`, by number, and in the last place all that has reached it.
    var mass = [Double](repeating: 0, count: count + 1)
    mass[0] = 1
    for stratum in strata {
      for _ in 0..<stratum.events { Self.add(stratum, to: &mass) }
    }
    return min(1, mass[count] * (1 + 1e-9))
  }

  private static func add(_ stratum: Stratum, to mass: inout [Double]) {
    let (chance, rest) = (stratum.chance, stratum.rest)
    let last = mass.count - 1
    mass[last] += mass[last - 1] * chance
    for place in stride(from: last - 1, to: 0, by: -1) {
      mass[place] = mass[place] * rest + mass[place - 1] * chance
    }
    mass[0] *= rest
  }
}
