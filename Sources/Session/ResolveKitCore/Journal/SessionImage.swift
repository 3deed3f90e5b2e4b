/// A session's durable state: what its journal says, folded.
package struct SessionImage: Codable, Equatable, Sendable {
  /// The turn in flight.
  package struct Turn: Codable, Equatable, Sendable {
    package let message: OutgoingMessage
    package let startedAt: MonotonicNanoseconds
    /// The backend is known to run it.
    package var isHeard = false
    package var turnID: String?
    package var text = ""

    package var knownID: String { turnID ?? message.requestID }
  }

  package struct Call: Codable, Equatable, Sendable {
    package enum Progress: Codable, Equatable, Sendable {
      case waiting
      /// Started, as far as is known, and without a result.
      case intended
      case recorded(ResolveKitToolResultPayload, ToolCallItemStatus)
      case settled(ResolveKitToolResultPayload, ToolCallItemStatus, ResultDelivery, at: MonotonicNanoseconds)
    }

    package var call: ToolCall
    package var progress: Progress
  }

  /// Messages kept of a conversation, and their text in bytes; older ones are dropped and counted.
  static let maximumMessages = 2000
  static let maximumTranscriptBytes = 4 << 20

  package internal(set) var sessionID: String?
  package internal(set) var server: String?
  package internal(set) var deviceID: String?
  package internal(set) var isHistoryKnown = false
  package internal(set) var cursor: String?
  package internal(set) var turn: Turn?
  /// The last message, if its turn ended without an answer; nil while a turn is in flight.
  package internal(set) var left: LeftMessage?
  package internal(set) var calls: [Call] = []
  package internal(set) var transcript: [ResolveKitChatMessage] = []
  /// Messages older than the first of ``transcript``.
  package internal(set) var droppedMessages = 0
  package internal(set) var escalationReason: String?
  /// Milliseconds since 1970.
  package internal(set) var startedAt: UInt64 = 0
  package internal(set) var updatedAt: UInt64 = 0
  /// The session's time at the last record.
  package internal(set) var time: MonotonicNanoseconds = 0

  /// The first line of the first message that the user sent.
  package internal(set) var title = ""

  var seen = RecentIDs(capacity: TurnPolicy().maximumEventIDs)
  var abandoned: [TurnReference] = []
  var finishedTurns = RecentIDs(capacity: TurnPolicy.maximumFinishedTurns)
  /// Answers that the history has shown already, with their number.
  var answersInHistory: [String: Int] = [:]
  var transcriptBytes = 0

  package init() {}

  /// The messages before the turn in flight, back to the last that is known to have arrived, as it was answered.
  var lastWords: [String] {
    var words: [String] = []
    var isAnswered = false
    for message in transcript.reversed() where message.id != turn?.message.requestID {
      switch message.role {
      case .assistant: isAnswered = true
      case .user:
        words.append(message.text)
        if isAnswered { return words }
      default: break
      }
    }
    return words
  }

  /// Calls whose result waits to be accepted.
  package var undelivered: [ResolveKitToolResultPayload] {
    calls.compactMap { if case .recorded(let payload, _) = $0.progress { payload } else { nil } }
  }

  /// Calls that a person has yet to decide on.
  package var pendingApprovals: [ResolveKitPendingToolCall] {
    calls.compactMap { $0.progress == .waiting && $0.call.requiresApproval ? $0.call.pending : nil }
  }

  /// Calls that were started and have no result.
  package var interrupted: [ToolCall] {
    calls.compactMap { $0.progress == .intended ? $0.call : nil }
  }
}
