public import Foundation
public import ResolveKitCore

/// A journal's summary of its session.
public struct ResolveKitStoredSession: Identifiable, Sendable {
  /// The session's id, as the server gave it.
  public let id: String
  /// The server's base URL.
  public let server: String
  /// The device id that the session was created with, and is taken up again with.
  public let deviceID: String
  /// The first line of the user's first message; empty where there was none.
  public let title: String
  /// The moment at which the journal was begun, by the system's clock.
  public let startedAt: Date
  /// The moment of the last change, by the system's clock; the newest session is resumed first.
  public let updatedAt: Date
  /// The messages in order, the text of a turn in flight included.
  public let transcript: [ResolveKitChatMessage]
  /// Messages that are older than the first one kept.
  public let droppedMessages: Int
  /// Whether a turn was in flight.
  public let isTurnInProgress: Bool
  /// Calls that waited for a person's decision; asked about again once the session is open.
  public let pendingApprovals: [ResolveKitPendingToolCall]
  /// Functions that ran when the process ended, and are not run again.
  public let interruptedFunctions: [String]
  /// Results that the server has not accepted yet.
  public let undeliveredResults: Int
  /// The last event that took effect; nil before the first.
  public let cursor: String?
  /// Whether a process has the session open.
  public let isInUse: Bool

  /// nil where the image is of no session yet.
  init?(_ image: SessionImage, isInUse: Bool) {
    guard let id = image.sessionID else { return nil }
    self.id = id
    self.isInUse = isInUse
    server = image.server ?? ""
    deviceID = image.deviceID ?? ""
    startedAt = Date(timeIntervalSince1970: Double(image.startedAt) / 1000)
    updatedAt = Date(timeIntervalSince1970: Double(image.updatedAt) / 1000)
    var transcript = image.transcript
    if let turn = image.turn, !turn.text.isEmpty {
      transcript.append(ResolveKitChatMessage(id: turn.knownID, role: .assistant, text: turn.text))
    }
    self.transcript = transcript
    title = String(image.title.prefix(80))
    droppedMessages = image.droppedMessages
    isTurnInProgress = image.turn != nil
    pendingApprovals = image.pendingApprovals
    interruptedFunctions = image.interrupted.map(\.functionName)
    undeliveredResults = image.undelivered.count
    cursor = image.cursor
  }
}
