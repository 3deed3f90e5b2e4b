import Foundation

/// Numbers as a reader wants them: the same places in one column, thin groups of three, a real minus sign.
enum NumberText {
  static let missing = "–"

  static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? missing : value < 0 ? "−∞" : "∞" }
    guard abs(value) < 1e15 else { return String(format: "%.3g", value) }
    var digits = String(format: "%.\(max(0, min(decimals, 9)))f", abs(value))
    let isZero = !digits.contains { ("1"..."9").contains($0) }
    let whole = digits.prefix { $0 != "." }
    if whole.count > 3 {
      digits = grouped(String(whole)) + digits.dropFirst(whole.count)
    }
    return value < 0 && !isZero ? "−" + digits : digits
  }

  /// Enough places to distinguish the values of one column, and no more than the measurement supports.
  static func decimals(for values: [Double]) -> Int {
    let largest = values.lazy.filter(\.isFinite).map { abs($0) }.max() ?? 0
    if largest >= 1_000 || values.allSatisfy({ !$0.isFinite || abs($0.rounded() - $0) < 0.000_5 }) { return 0 }
    return largest >= 10 ? 1 : largest >= 1 ? 2 : 3
  }

  /// One number on its own.
  static func plain(_ value: Double) -> String {
    fixed(value, decimals: decimals(for: [value]))
  }

  /// The value with as many decimal places as it needs, at most three.
  static func shortest(_ value: Double) -> String {
    for decimals in 0..<3 where (value * pow(10, Double(decimals))).rounded() == value * pow(10, Double(decimals)) {
      return fixed(value, decimals: decimals)
    }
    return fixed(value, decimals: 3)
  }

  private static func grouped(_ digits: String) -> String {
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result += "\u{202F}" }
      result.append(digit)
    }
    return result
  }
}
