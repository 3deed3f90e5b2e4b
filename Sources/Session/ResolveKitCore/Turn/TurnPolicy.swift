/// The numbers of the turn machine.
package struct TurnPolicy: Equatable, Sendable {
  /// Turns that have ended and are remembered, so that a repeated end is none of another's.
  static let maximumFinishedTurns = 256
  /// Turns that have ended here, and that the backend may still run.
  static let maximumAbandonedTurns = 8
  /// Messages of which one may be the last that the backend has; of more it counts as not known.
  static let maximumLastWords = 16

  /// Window from the first call of a batch, in nanoseconds.
  package var batchWindow: UInt64 = 250_000_000
  /// Calls in one batch; the next opens another.
  package var maximumBatchSize = 64
  /// Calls remembered, over all turns.
  package var maximumCalls = 1024
  /// Tools that run at the same time, those included that were given up and have not returned. The backend awaits the
  /// calls of a round in order, but starting them together ends the round sooner.
  package var maximumRunningTools = 4
  /// Event ids remembered for the suppression of duplicates.
  package var maximumEventIDs = 4096
  /// Text of one answer in UTF-8 bytes.
  package var maximumTextBytes = 4 << 20
  /// A tool's result as JSON in bytes; of a larger one the beginning is sent, with a mark of the cut.
  package var maximumResultBytes = 1 << 20
  /// Results that the backend has taken are kept up to so many bytes in sum, for calls that are repeated.
  package var maximumKeptResultBytes = 16 << 20
  /// Tries of one message, pauses doubling from 1 s.
  package var messageAttempts = 5
  /// Tries of one result, pauses doubling from 1 s to 30 s.
  package var resultAttempts = 12
  /// Tries of the session's re-creation before the connection counts as failed; nil: no end.
  package var sessionAttempts: Int? = nil
  /// Silence, in seconds, after which the history is asked how the turn stands.
  package var watchdogSeconds = 30
  /// Silence, in seconds of an open stream, after which a turn counts as lost: the backend's own lock on a turn lasts as
  /// long.
  package var giveUpSeconds = 600
  /// The time, in seconds, within which a message of unknown fate may be posted again under its request id: the
  /// backend remembers it for 600 s, and one posted later would be a second message. After that the history is asked
  /// first.
  package var repostSeconds = 540

  package init() {}
}
