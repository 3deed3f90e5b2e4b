import Foundation

/// The ticks of an axis: round numbers that a reader can count on.
struct Ticks: Hashable, Sendable {
  struct Tick: Hashable, Sendable {
    var value: Double
    var label: String
  }

  var ticks: [Tick]

  /// Multiples of 1, 2 or 5 times a power of ten within the bounds, at most about `count` of them.
  static func linear(from low: Double, to high: Double, count: Int) -> Ticks {
    let step = roundStep(for: high - low, count: count)
    guard step > 0, step.isFinite, low.isFinite, high.isFinite else { return Ticks(ticks: []) }
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    guard last >= first, last - first < 1_000 else { return Ticks(ticks: []) }
    let decimals = max(0, Int((-log10(step) - 1e-9).rounded(.up)))
    return Ticks(
      ticks: stride(from: first, through: last, by: 1).map {
        Tick(value: $0 * step, label: NumberText.fixed($0 * step, decimals: decimals))
      })
  }

  /// The smallest round step that divides the span into at most `count` parts.
  static func roundStep(for span: Double, count: Int) -> Double {
    guard span > 0, span.isFinite else { return 0 }
    let rough = span / Double(max(1, count))
    let power = pow(10, log10(rough).rounded(.down))
    let factor = [1, 2, 5, 10].first { $0 * power >= rough * (1 - 1e-9) } ?? 10
    return factor * power
  }

  /// Powers of ten, with 2 and 5 times each where the axis is short.
  static func logarithmic(from low: Double, to high: Double) -> Ticks {
    guard low > 0, high > low, high.isFinite else { return Ticks(ticks: []) }
    let decades = log10(high / low)
    let factors: [Double] = decades <= 2.2 ? [1, 2, 5] : [1]
    let exponents = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
    let values = exponents.flatMap { exponent in factors.map { $0 * pow(10, Double(exponent)) } }
    return Ticks(
      ticks: values.filter { $0 >= low * (1 - 1e-9) && $0 <= high * (1 + 1e-9) }
        .map { Tick(value: $0, label: NumberText.shortest($0)) })
  }

  /// Quantiles by their number of nines.
  static func nines(upTo nines: Double) -> Ticks {
    let named: [(Double, String)] = [
      (0, "0"), (0.5, "50"), (0.9, "90"), (0.99, "99"), (0.999, "99.9"), (0.9999, "99.99"), (0.99999, "99.999"),
    ]
    return Ticks(
      ticks: named.filter { Scale.nines($0.0) <= nines + 1e-9 }.map { Tick(value: $0.0, label: $0.1 + " %") })
  }
}
