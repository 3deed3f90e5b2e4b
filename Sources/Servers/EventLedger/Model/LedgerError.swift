/// A ledger's refusal or failure: a code to decide on, a sentence to show, a cause to look into.
package struct LedgerError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// The lease is over: it was released, or a later one was given on its stream.
    case fenced
    /// Somebody else holds the stream's lease.
    case leased(until: WallTime)
    /// No stream has this name.
    case unknownStream
    /// The stream was deleted; its name is not used again.
    case deletedStream
    /// The idempotency key was used before, for other events.
    case keyReused
    /// Events behind the cursor were dropped; reading can begin at the floor.
    case trimmed(floor: Int64)
    /// The cursor is past the stream's last event: it belongs to another ledger, or to this one before a restore.
    case cursorAhead(last: Int64)
    /// A name, key or event exceeds its limit, or cannot be stored.
    case invalid
    /// A limit in sum is reached, which passes when others are done.
    case exhausted
    /// The database fails for now: it is busy, or its connection broke. What was asked for may have happened all the
    /// same, where the answer was lost.
    case unavailable(mayHaveHappened: Bool)
    /// The database fails, or was written by a later version of the program.
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
