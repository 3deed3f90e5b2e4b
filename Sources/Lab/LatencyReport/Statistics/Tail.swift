import Foundation

/// Tail probabilities of the two distributions that the tests of a report need.
enum Tail {
  /// P(X ≥ `count`) of `trials` fair coins.
  static func fairCoins(atLeast count: Int, of trials: Int) -> Double {
    guard count > 0 else { return 1 }
    guard count <= trials else { return 0 }
    // From the smallest term up, so that nothing small is lost; a term is the one before times a ratio.
    let size = Double(trials)
    let ways = lgamma(size + 1) - lgamma(Double(count) + 1) - lgamma(size - Double(count) + 1)
    var term = exp(ways - size * log(2.0))
    var sum = 0.0
    for place in count...trials {
      sum += term
      let next = Double(place) + 1
      term *= (size - next + 1) / next
    }
    return min(sum, 1)
  }

  /// P(T > `t`) of Student's distribution, for `t` of at least 0.
  static func student(above t: Double, degrees: Int) -> Double {
    guard degrees > 0, t > 0 else { return 0.5 }
    let freedom = Double(degrees)
    return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
  }

  /// The value that Student's distribution exceeds with this probability, below 1/2.
  static func studentQuantile(tail: Double, degrees: Int) -> Double {
    var (low, high) = (0.0, 1.0)
    while student(above: high, degrees: degrees) > tail, high < 1e12 { high *= 2 }
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if student(above: middle, degrees: degrees) > tail { low = middle } else { high = middle }
    }
    return high
  }

  /// The regularised incomplete beta function by its continued fraction (Lentz's method; NIST's handbook, § 8.17.22).
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast on one side of the mean alone.
    return x < (a + 1) / (a + b + 2) ? betaFraction(x, a, b) : 1 - betaFraction(1 - x, b, a)
  }

  private static func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let gammas: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
    let powers: Double = a * log(x) + b * log1p(-x)
    let front = exp(gammas + powers) / a
    var c = 1.0
    var d = 1 / away(1 - (a + b) * x / (a + 1))
    var fraction = d
    for step in 1...500 {
      let m = Double(step)
      let place: Double = a + 2 * m
      let even: Double = m * (b - m) * x / ((place - 1) * place)
      let odd: Double = -(a + m) * (a + b + m) * x / (place * (place + 1))
      for term in [even, odd] {
        d = 1 / away(1 + term * d)
        c = away(1 + term / c)
        fraction *= d * c
      }
      if abs(d * c - 1) < 1e-14 { break }
    }
    return front * fraction
  }

  /// Never quite 0, as it is divided by.
  private static func away(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
}
