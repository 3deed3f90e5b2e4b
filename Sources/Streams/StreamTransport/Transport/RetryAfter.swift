package import HTTPTypes

/// The time at which a server wants to be asked again, by its `Retry-After` (RFC 9110 § 10.2.3).
package enum RetryAfter {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The seconds to wait, not limited; nil where none were asked for.
  ///
  /// A date counts from the response's `Date`, since this machine's clock may not be the server's.
  ///
  /// - Parameter now: this machine's time in seconds since 1970, for a response without a date.
  package static func seconds(in fields: HTTPFields, now: Int) -> Int? {
    guard let value = fields[.retryAfter] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(value) ?? .max }
    guard let due = moment(value) else { return nil }
    return max(0, due - (fields[.date].flatMap(moment) ?? now))
  }

  /// An HTTP-date in seconds since 1970, in any of its three forms (RFC 9110 § 5.6.7); nil for anything else.
  package static func moment(_ text: String) -> Int? {
    guard text.utf8.count <= 40 else { return nil }
    let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT.
    case 6 where words[5] == "gmt": return moment(day: words[1], month: words[2], year: words[3], time: words[4])
    // Sun Nov  6 08:49:37 1994.
    case 5: return moment(day: words[2], month: words[1], year: words[4], time: words[3])
    case _: return nil
    }
  }

  private static func moment(day: String, month: String, year: String, time: String) -> Int? {
    let clock = time.split(separator: ":").map { number($0, 0...60) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60,
      let day = number(day[...], 1...31), let month = months.firstIndex(of: month),
      var year = number(year[...], 0...9_999)
    else { return nil }
    if year < 100 { year += year < 70 ? 2_000 : 1_900 }
    return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  /// Days from 1970 in the Gregorian calendar; years begin in March, so that a leap day is a year's last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
