/// The most that one append may carry, and one page returns.
package enum LedgerLimits {
  /// UTF-8 bytes of a stream's name, which is ASCII, an idempotency key, a holder, an event's type.
  package static let nameBytes = 255
  /// Bytes of one event's payload.
  package static let payloadBytes = 8 << 20
  /// Events of one append.
  package static let appendEvents = 1_000
  /// Payload bytes of one append.
  package static let appendBytes = 16 << 20
  /// Payload bytes after which a page ends; the event that exceeds it is its last.
  package static let pageBytes = 256 << 10

  /// Throws ``LedgerError`` for a name that no stream can have.
  ///
  /// ASCII alone, because Swift takes two spellings of one character for equal, which a database does not.
  package static func check(stream: String) throws(LedgerError) {
    guard (1...nameBytes).contains(stream.utf8.count), stream.utf8.allSatisfy({ (1..<128).contains($0) }) else {
      throw LedgerError(
        .invalid, "A stream's name is ASCII text of 1 to \(nameBytes) bytes without NUL; shorten or encode it.")
    }
  }

  /// Throws ``LedgerError`` for a key, holder or type that exceeds its limit.
  package static func check(name: String, _ what: String) throws(LedgerError) {
    guard (1...nameBytes).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw LedgerError(.invalid, "A \(what) is text of 1 to \(nameBytes) bytes without NUL; shorten it.")
    }
  }

  /// Throws ``LedgerError`` for an append that exceeds a limit.
  package static func check(_ drafts: [LedgerDraft]) throws(LedgerError) {
    guard (1...appendEvents).contains(drafts.count) else {
      throw LedgerError(.invalid, "An append carries 1 to \(appendEvents) events, not \(drafts.count); divide it.")
    }
    var bytes = 0
    for draft in drafts {
      try check(name: draft.type, "event's type")
      guard draft.payload.count <= payloadBytes else {
        throw LedgerError(.invalid, "An event's payload has \(payloadBytes) bytes at most, not \(draft.payload.count).")
      }
      bytes += draft.payload.count
    }
    guard bytes <= appendBytes else {
      throw LedgerError(.invalid, "An append carries \(appendBytes) bytes at most, not \(bytes); divide it.")
    }
  }
}
