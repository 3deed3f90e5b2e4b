import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// The `date` field that an origin server with a clock sends (RFC 9110 § 6.6.1), made once a second.
final class HTTPDate: Sendable {
  private let last = Mutex<(second: Int, text: String)>((0, HTTPDate.text(second: 0)))

  var now: String {
    let second = time(nil)
    return last.withLock { last in
      if last.second != second { last = (second, Self.text(second: second)) }
      return last.text
    }
  }

  /// The IMF-fixdate of RFC 9110 § 5.6.7, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(second: Int) -> String { UTCTime(.seconds(second)).fieldText }
}
