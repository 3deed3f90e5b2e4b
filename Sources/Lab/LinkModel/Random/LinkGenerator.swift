/// The generator of all of a link's and a report's randomness: xoshiro256** 1.0 (Blackman and Vigna, 2018) with its state filled by
/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Owned here, so that a seed means the same on every platform.
package struct LinkGenerator: RandomNumberGenerator, Sendable {
  private var s0: UInt64
  private var s1: UInt64
  private var s2: UInt64
  private var s3: UInt64

  package init(seed: UInt64) {
    var state = seed
    s0 = Self.splitMix(&state)
    s1 = Self.splitMix(&state)
    s2 = Self.splitMix(&state)
    s3 = Self.splitMix(&state)
  }

  /// One that depends on a purpose's name as well, so that nothing drawn changes because something else was added.
  package init(seed: UInt64, purpose: String) {
    self.init(seed: seed ^ LinkSeed.hash(of: purpose))
  }

  /// A state that is given whole; not all of it may be 0.
  init(state: (UInt64, UInt64, UInt64, UInt64)) {
    (s0, s1, s2, s3) = state
  }

  package mutating func next() -> UInt64 {
    let product = s1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << 45) | (s3 >> 19)
    return result
  }

  /// Evenly in [0, 1), in steps of 2⁻⁵³.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// True with this probability: never for 0, always for 1.
  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// Evenly in 0 ..< bound; 0 if the bound is not positive. The bias is below bound / 2⁶⁴.
  package mutating func below(_ bound: Int) -> Int {
    guard bound > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Exponentially distributed with this mean.
  package mutating func exponential(mean: Double) -> Double { -mean * naturalLogarithm(1 - unit()) }

  /// One output of SplitMix64, which is a bijection of its state: distinct values stay distinct.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var state = value
    return splitMix(&state)
  }

  private static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
