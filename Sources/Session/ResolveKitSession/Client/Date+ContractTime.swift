import Foundation

extension Date {
  /// A moment as servers of the contract write it: ISO 8601 with `Z` or an offset, and with 0 to 6 digits of a fraction.
  init?(contractTime text: String) {
    let whole = Date.ISO8601FormatStyle()
    let date = (try? whole.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    guard let date else { return nil }
    self = date
  }
}
