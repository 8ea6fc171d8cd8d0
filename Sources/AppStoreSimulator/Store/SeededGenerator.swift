/// Chance that a seed repeats: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Shape: a lower-case UUID of version 4.
  mutating func uuid() -> String {
    var digits = Array(
      Hexadecimal.text((0..<16).map { _ in UInt8.random(in: 0...255, using: &self) }))
    digits[12] = "4"
    digits[16] = ["8", "9", "a", "b"][Int.random(in: 0..<4, using: &self)]
    for place in [8, 13, 18, 23] { digits.insert("-", at: place) }
    return String(digits)
  }

  /// A number within one step of ten, as text.
  ///
  /// Shape: `first` and as many digits as `count` says.
  mutating func digits(_ first: String, _ count: Int) -> String {
    first + (0..<count).map { _ in String(Int.random(in: 0..<10, using: &self)) }.joined()
  }
}
