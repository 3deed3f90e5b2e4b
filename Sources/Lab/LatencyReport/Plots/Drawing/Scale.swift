import Foundation

/// From a value to a place on the paper; values outside are drawn at the edge.
struct Scale: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case linear, logarithmic
    /// Quantiles, each further nine as far as the one before.
    case nines
  }

  let kind: Kind
  let low: Double
  let high: Double
  let start: Double
  let end: Double

  init(_ kind: Kind, from low: Double, to high: Double, start: Double, end: Double) {
    self.kind = kind
    self.low = low
    self.high = high > low ? high : low + 1
    self.start = start
    self.end = end
  }

  /// From zero or below to a round number at or above the largest value.
  static func round(
    _ values: some Sequence<Double>, including floor: Double = 0, count: Int, start: Double, end: Double
  ) -> Scale {
    let finite = values.filter(\.isFinite)
    let low = min(finite.min() ?? 0, floor)
    let high = max(finite.max() ?? 1, floor)
    let step = Ticks.roundStep(for: high > low ? high - low : 1, count: count)
    return Scale(
      .linear, from: (low / step + 1e-9).rounded(.down) * step,
      to: max((high / step - 1e-9).rounded(.up) * step, low + step), start: start, end: end)
  }

  /// Without the little that lies below zero because clocks and delays are not exact.
  var startingAtZero: Scale {
    Scale(kind, from: max(0, low), to: high, start: start, end: end)
  }

  func position(_ value: Double) -> Double {
    let share = (transformed(value) - transformed(low)) / (transformed(high) - transformed(low))
    return start + (end - start) * (share.isFinite ? max(0, min(1, share)) : value > low ? 1 : 0)
  }

  func ticks(count: Int) -> [Ticks.Tick] {
    switch kind {
    case .linear: Ticks.linear(from: low, to: high, count: count).ticks
    case .logarithmic: Ticks.logarithmic(from: low, to: high).ticks
    case .nines: Ticks.nines(upTo: Self.nines(high)).ticks
    }
  }

  /// 0 for the quantile 0, 1 for 0.9, 2 for 0.99.
  static func nines(_ quantile: Double) -> Double {
    guard quantile > 0 else { return 0 }
    return quantile < 1 ? -log10(1 - quantile) : .infinity
  }

  private func transformed(_ value: Double) -> Double {
    switch kind {
    case .linear: value
    case .logarithmic: log10(max(value, low))
    case .nines: Self.nines(value)
    }
  }
}
