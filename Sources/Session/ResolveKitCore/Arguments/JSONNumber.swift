/// A number as it was written, so that no digit is lost on the way to a type that can hold it.
struct JSONNumber: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  /// A whole number by its own digits: the shortest text of a `Double` beyond 2^53 stands for its neighbours too.
  init(_ double: Double) { text = double.spelledAsInteger.map { "\($0)" } ?? "\(double)" }

  /// nil beyond the range of `Double`, and for what is no number.
  var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// Whether it is digits alone, as integers are written.
  var isWrittenAsInteger: Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } }

  /// Whether the nearest `Double` is the number itself; a fraction, whether its text is.
  var isHeldByDouble: Bool { double.map { hasSameValue(as: JSONNumber($0)) } ?? false }

  func hasSameValue(as other: JSONNumber) -> Bool {
    switch (Decimal(text), Decimal(other.text)) {
    case (let own?, let other?): own == other
    case (nil, nil): text == other.text
    case (nil, _), (_, nil): false
    }
  }

  /// Whether it has no fraction; `3.0` and `1e2` have none.
  var isInteger: Bool { Decimal(text).map { $0.exponent >= 0 } ?? false }

  /// The number without its fraction; nil where it does not fit.
  func truncated<Integer: FixedWidthInteger>(to type: Integer.Type) -> Integer? {
    Decimal(text)?.integerText(maximumDigits: 80).flatMap { Integer($0) }
  }

  /// The digits of a number without fraction; as it was written for any other, and where it is very long.
  var plainText: String {
    guard let decimal = Decimal(text), decimal.exponent >= 0 else { return text }
    return decimal.integerText(maximumDigits: 20) ?? text
  }

  /// The number with at most that many digits and no smaller exponent; what does not fit behind is cut off.
  func text(digits maximumDigits: Int, exponent minimumExponent: Int) -> String? {
    guard let decimal = Decimal(text) else { return nil }
    let room = min(maximumDigits, decimal.digits.count + decimal.exponent - minimumExponent)
    guard room > 0, !decimal.digits.isEmpty else { return "0" }
    let kept = decimal.digits.prefix(room)
    let exponent = decimal.exponent + decimal.digits.count - kept.count
    return "\(decimal.isNegative ? "-" : "")\(String(decoding: kept, as: UTF8.self))e\(exponent)"
  }

  /// ± digits × 10^exponent, with no zero at either end of the digits.
  private struct Decimal: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init?(_ text: String) {
      var bytes = text.utf8[...]
      if bytes.first == UInt8(ascii: "-") {
        isNegative = true
        bytes = bytes.dropFirst()
      }
      guard let first = bytes.first, Self.isDigit(first) else { return nil }
      digits = Array(bytes.prefix(while: Self.isDigit))
      bytes = bytes.dropFirst(digits.count)
      if bytes.first == UInt8(ascii: ".") {
        let fraction = bytes.dropFirst().prefix(while: Self.isDigit)
        digits += fraction
        exponent = -fraction.count
        bytes = bytes.dropFirst(fraction.count + 1)
      }
      if let mark = bytes.first {
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E"),
          let written = Self.exponent(String(Substring(bytes.dropFirst())))
        else { return nil }
        exponent += written
      }
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
      digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
      if digits.isEmpty {
        isNegative = false
        exponent = 0
      }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// An exponent of that size stands for zero or for no number that any type holds, whatever its digits.
    private static func exponent(_ text: String) -> Int? {
      let limit = 1_000_000_000
      if let exponent = Int(text) { return min(max(exponent, -limit), limit) }
      let digits = text.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
      return text.hasPrefix("-") ? -limit : limit
    }

    /// The digits before the decimal point; nil where there are more than that.
    func integerText(maximumDigits: Int) -> String? {
      let count = digits.count + exponent
      guard count > 0 else { return "0" }
      guard count <= maximumDigits else { return nil }
      let own = digits.prefix(count)
      let zeros = repeatElement(UInt8(ascii: "0"), count: count - own.count)
      return (isNegative ? "-" : "") + String(decoding: own + zeros, as: UTF8.self)
    }
  }
}
