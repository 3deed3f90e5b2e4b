/// The number of an event in its session. Numbers grow and are never given twice, not even after a crash.
package struct EventID: Hashable, Comparable, Sendable {
  package var number: Int64

  package init(_ number: Int64) {
    self.number = number
  }

  /// The position before the first event.
  package static let beginning = EventID(0)

  /// Reads what a client gives as cursor: decimal digits without sign or leading zero; nil for anything else.
  package init?(cursor text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...19).contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }),
      bytes.count == 1 || bytes.first != 0x30, let number = Int64(text)
    else { return nil }
    self.number = number
  }

  package var text: String { String(number) }

  package static func < (left: EventID, right: EventID) -> Bool { left.number < right.number }
}
