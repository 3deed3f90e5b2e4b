/// A fact about the simulated world, as one who looks at wires, disks and screens would note it: plain values, none of the
/// types of the programs that are looked at.
package enum Observation: Codable, Equatable, Sendable {
  /// A call, by its turn and its id.
  package struct Call: Codable, Hashable, Sendable {
    package let turn: String
    package let id: String
    /// The mark of the call's repetition; empty for the call itself.
    package let repetition: String
  }

  /// A call's result as the model is told of it.
  package struct ToldResult: Codable, Equatable, Sendable {
    package let id: String
    package let content: String
  }

  // MARK: The ledger
  case leaseGiven(holder: String, fence: Int64, until: Int64, at: Int64)
  case leaseRenewed(fence: Int64, until: Int64)
  case leaseReleased(fence: Int64)
  case appended(sequence: Int64, fence: Int64, turn: String, type: String, body: String)
  case trimmed(floor: Int64)

  // MARK: Backends
  case backendStarted(Int)
  case backendEnded(Int)
  case backendPaused(Int, for: Int)
  case turnBegun(turn: String, request: String, text: String)
  case turnClaimed(turn: String, backend: Int, fence: Int64)
  case turnReleased(turn: String, backend: Int)
  /// - Parameter results: those of the turn so far, in order; nil where they are not seen.
  case modelAsked(turn: String, backend: Int, results: [ToldResult]? = nil)
  case turnSettled(turn: String, status: String, answer: String?)
  case turnEnded(turn: String, status: String)
  case resultTaken(turn: String, call: String, key: String, outcome: String, verdict: String)
  case callExpired(turn: String, call: String)

  // MARK: The client's disk and network
  case clientStarted
  /// The state that the disk gives a client that begins: its cursor, and the turn that it left with the text so far,
  /// by the name under which that is shown, and with the ids of its calls; nil where those are not seen.
  case clientRestored(cursor: String?, turn: String?, text: String, calls: [String]? = nil)
  case clientEnded(isKill: Bool)
  case clientSuspended
  case clientResumed
  case clientClockSet
  case messageDurable(request: String)
  /// The disk says that the message's turn has ended here.
  case messageLeft(request: String)
  case startDurable(Call)
  case resultDurable(Call)
  case cursorDurable(String)
  case streamAttempted(cursor: String?, connection: Int)
  case streamOpened(connection: Int)
  /// - Parameter healthy: it lasted, and the server ended it in order.
  case streamEnded(connection: Int, healthy: Bool)
  case eventArrived(id: String, connection: Int)
  case messagePosted(request: String, text: String)
  case resultPosted(Call, key: String, body: String)
  case resultSettled(Call, outcome: String)

  // MARK: The client's screen and tools
  case connection(String)
  case messageTaken(request: String, text: String)
  case messageRefused(request: String)
  case cancelled(request: String)
  case eventApplied(id: String, turn: String?, type: String)
  case gap
  case cursorForgotten
  case textShown(turn: String, piece: String)
  case textReplaced(turn: String, text: String)
  case answerShown(turn: String, text: String)
  case turnFinished(request: String, turn: String?, status: String, text: String, reason: String?)
  case batchShown(id: Int, turn: String, calls: [String])
  case asked(batch: Int, turn: String, calls: [String])
  case decided(batch: Int, turn: String, calls: [String], approves: Bool, isForSession: Bool)
  case toolStarted(Call, tool: String, arguments: String)
  case toolCancelled(Call)
  case toolReturned(Call)

  // MARK: Faults
  case fault(String)
  case eventLost(id: String)
}
