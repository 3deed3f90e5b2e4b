/// Why a ledger refuses or fails: a code to decide on, a sentence to show, a cause to look into.
package struct LedgerError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// A later lease was given on the stream: whoever holds the older one has lost it.
    case fenced
    /// Somebody else holds the stream's lease.
    case leased(until: WallTime)
    /// No stream has this name.
    case unknownStream
    /// The stream was deleted; its name is not used again.
    case deletedStream
    /// The idempotency key came before, with other events.
    case keyReused
    /// Events behind the cursor were dropped; reading can begin at the floor.
    case trimmed(floor: Int64)
    /// The cursor is behind the stream's last event: it is of another ledger, or of a time before a restore.
    case cursorAhead(last: Int64)
    /// A name, key or event exceeds its limit, or cannot be stored.
    case invalid
    /// The database cannot be opened, or is of a later version.
    case database
  }

  package let code: Code
  package let message: String
  package let cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
