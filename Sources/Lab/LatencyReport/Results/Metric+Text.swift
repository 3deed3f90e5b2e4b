import Foundation

extension Metric {
  /// A value with its unit, as "35.1 ms", "0.25 %", "3"; about three digits, never an exponent.
  package func text(_ value: Double) -> String {
    let number = Self.number(value)
    return unit.rawValue.isEmpty ? number : "\(number) \(unit.rawValue)"
  }

  /// About three digits without an exponent and without superfluous zeros; thousands apart by a space.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "-" : value < 0 ? "-∞" : "∞" }
    let size = abs(value)
    let decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
    var text = String(format: "%.\(decimals)f", locale: Locale(identifier: "en_US_POSIX"), value)
    if decimals > 0 {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    if text == "-0" { return "0" }
    guard decimals == 0 else { return text }
    let isNegative = text.hasPrefix("-")
    var digits = Array(isNegative ? text.dropFirst() : text[...])
    guard digits.count > 3 else { return text }
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(" ", at: place) }
    return (isNegative ? "-" : "") + String(digits)
  }
}
