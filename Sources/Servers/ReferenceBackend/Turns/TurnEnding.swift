import ResolveKitCore

/// The end of a turn, final once it is on disk: the process that has the turn by then reports it.
package struct TurnEnding: Equatable, Sendable {
  package let status: TurnStore.Status
  /// The last events, none where the end is kept silent.
  package let events: [EventEntry]
  /// The text that stays in the history, or the next turn's model would not know of it.
  package private(set) var answer: String?
  /// Whether a person takes over from here on.
  package private(set) var escalates = false

  private static let statusName = "status"
  private static let eventsName = "events"

  private init(_ status: TurnStore.Status, _ events: [EventPayload], answer: String? = nil, escalates: Bool = false) {
    self.status = status
    self.events = events.map { EventEntry($0) }
    self.answer = answer.flatMap { $0.isEmpty ? nil : $0 }
    self.escalates = escalates
  }

  package static func complete(_ text: String, _ usage: ModelUsage?, asksForFeedback: Bool) -> TurnEnding {
    let end = EventPayload.turnComplete(fullText: text, usage: usage)
    return TurnEnding(.complete, asksForFeedback ? [end, .feedbackRequested(immediate: false)] : [end], answer: text)
  }

  package static func interrupted(by interruption: TurnInterruption, text: String) -> TurnEnding {
    switch interruption {
    case .user:
      TurnEnding(
        .cancelled, [.error(code: "cancelled", message: "The turn was stopped.", recoverable: true)], answer: text)
    case .escalation(let reason): TurnEnding(.cancelled, [.sessionEscalated(reason: reason)], answer: text)
    }
  }

  /// A turn that another process left.
  ///
  /// - Parameter isTaken: whether a person has taken the session over.
  package static func abandoned(isTaken: Bool) -> TurnEnding {
    let event: EventPayload =
      isTaken
      ? .sessionEscalated(reason: "A person takes over.")
      : .error(
        code: "interrupted", message: "The server was restarted in the middle of the answer. Please ask again.",
        recoverable: true)
    return TurnEnding(.interrupted, [event])
  }

  package static func escalated(reason: String, text: String) -> TurnEnding {
    TurnEnding(.complete, [.sessionEscalated(reason: reason)], answer: text, escalates: true)
  }

  package static func failed(code: String, message: String) -> TurnEnding {
    TurnEnding(.failed, [.error(code: code, message: message, recoverable: true)])
  }

  /// The same, silently.
  var silenced: TurnEnding {
    var ending = TurnEnding(status, [])
    ending.answer = answer
    ending.escalates = escalates
    return ending
  }

  /// Its form in the database; the answer is kept elsewhere by then.
  init(_ json: JSONValue) {
    let object = json.objectValue ?? [:]
    status = object[Self.statusName]?.stringValue.flatMap(TurnStore.Status.init) ?? .interrupted
    events = (object[Self.eventsName]?.arrayValue ?? []).compactMap { event in
      guard let parts = event.arrayValue, parts.count == 2, let type = parts[0].stringValue,
        let body = parts[1].stringValue
      else { return nil }
      return EventEntry(type: type, body: body)
    }
  }

  var jsonText: String {
    let events = events.map { JSONValue.array([.string($0.type), .string($0.body)]) }
    return JSONValue.object([Self.statusName: .string(status.rawValue), Self.eventsName: .array(events)]).jsonText
  }
}
