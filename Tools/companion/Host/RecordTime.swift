import Foundation

/// A time of a record, for a person.
struct RecordTime: CustomStringConvertible {
  let description: String

  /// - Parameter milliseconds: since 1970.
  init(_ milliseconds: Int, in zone: TimeZone = .current) {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    description = date.formatted(
      Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: zone).year().month().day()
        .time(includingFractionalSeconds: false))
  }
}
