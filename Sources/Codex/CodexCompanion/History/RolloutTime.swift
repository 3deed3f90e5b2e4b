/// The time of a rollout's line: `2026-11-25T12:51:07.251Z` (RFC 3339 § 5.6, in UTC).
enum RolloutTime {
  /// Milliseconds since 1970; nil where the text is no such time.
  static func milliseconds(_ text: String) -> Int? {
    var digits = text.utf8[...]
    guard let year = number(&digits, 4, then: "-"), let month = number(&digits, 2, then: "-"),
      let day = number(&digits, 2, then: "T"), let hour = number(&digits, 2, then: ":"),
      let minute = number(&digits, 2, then: ":"), let second = number(&digits, 2, then: nil),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var milliseconds = 0
    if digits.first == UInt8(ascii: ".") {
      let fraction = digits.dropFirst().prefix { (0x30...0x39).contains($0) }
      digits = digits.dropFirst(1 + fraction.count)
      for (index, digit) in fraction.prefix(3).enumerated() {
        milliseconds += Int(digit - 0x30) * [100, 10, 1][index]
      }
    }
    guard digits.elementsEqual("Z".utf8) else { return nil }
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return seconds * 1_000 + milliseconds
  }

  /// Takes so many digits, and the character behind them.
  private static func number(_ text: inout Substring.UTF8View, _ count: Int, then end: Unicode.Scalar?) -> Int? {
    let digits = text.prefix(count)
    text = text.dropFirst(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if let end {
      guard text.popFirst() == UInt8(ascii: end) else { return nil }
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Days from 1 January 1970 in the Gregorian calendar. Years begin with March here, so that the leap day is their last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    // 719 468 days lie between 1 March of the year 0 and 1 January 1970; 400 more years keep the divisions exact.
    let past = year + 400
    return past * 365 + past / 4 - past / 100 + past / 400 + dayOfYear - 719_468 - 146_097
  }
}
