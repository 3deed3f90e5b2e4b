import HTTPTypes
import StreamTransport
import Testing

@Suite struct RetryAfterTests {
  /// RFC 9110 § 5.6.7: all three forms are to be taken.
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
    ("Sun, 01 Mar 2026 00:00:00 gmt", 1_772_323_200), ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func aDateIsAMoment(_ text: String, _ seconds: Int) {
    #expect(RetryAfter.moment(text) == seconds)
  }

  @Test(arguments: [
    "", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT", ", , , , , ,",
  ])
  func whatIsNoDateIsNone(_ text: String) {
    #expect(RetryAfter.moment(text) == nil)
  }

  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test(
    arguments: [
      ("120", nil, 120), ("0", nil, 0), ("-5", nil, nil), ("+5", nil, nil), ("1.5", nil, nil), ("", nil, nil),
      ("99999999999999999999", nil, Int.max),
      // By the server's clock, and by ours where it tells none.
      ("Sun, 06 Nov 1994 08:51:37 GMT", date, 120), ("Sun, 06 Nov 1994 08:51:37 GMT", nil, 20),
      ("Sun, 06 Nov 1994 08:51:37 GMT", "today", 20), ("Sun, 06 Nov 1994 08:49:00 GMT", date, 0),
    ] as [(String, String?, Int?)])
  func itIsTheTimeToWait(_ value: String, _ date: String?, _ seconds: Int?) {
    var fields = HTTPFields()
    fields[.retryAfter] = value
    fields[.date] = date
    #expect(RetryAfter.seconds(in: fields, now: 784_111_877) == seconds)
  }

  @Test func nothingAskedForIsNothing() {
    #expect(RetryAfter.seconds(in: [:], now: 0) == nil)
  }
}
