/// The turn in flight: its message on the way, its answer, and the silence since its last sign of life.
struct TurnState: Equatable, Sendable {
  var course: MessageCourse
  private(set) var answer: AnswerText
  var silence: TurnSilence
  private(set) var turnID: String?
  let startedAt: MonotonicNanoseconds
  /// Taken up from a journal.
  let isRestored: Bool
  /// The name under which the answer is shown: what was known of the turn when its first text came.
  private var shownID: String?
  private var hasAsked = false

  /// - Parameters:
  ///   - uncertainSince: when the message was posted without an answer; nil where it was not.
  ///   - isTakenUp: whether the turn was left here while the backend ran it, and is followed again.
  init(
    _ message: OutgoingMessage, after earlier: [String]?, uncertainSince: MonotonicNanoseconds? = nil,
    isTakenUp: Bool = false, at now: MonotonicNanoseconds, _ policy: TurnPolicy
  ) {
    course = MessageCourse(message, after: earlier, uncertainSince: uncertainSince, policy: policy)
    answer = AnswerText(limit: policy.maximumTextBytes, replacesShown: isTakenUp)
    silence = TurnSilence(at: now)
    startedAt = now
    isRestored = false
  }

  /// The turn as an earlier process left it.
  init(restoring image: SessionImage, _ left: SessionImage.Turn, at now: MonotonicNanoseconds, _ policy: TurnPolicy) {
    // It may have been posted, if there was a stream to answer it.
    course = MessageCourse(
      left.message, after: image.lastWords, uncertainSince: image.isHistoryKnown ? left.startedAt : nil,
      policy: policy)
    answer = AnswerText(limit: policy.maximumTextBytes, text: left.text)
    silence = TurnSilence(at: now)
    turnID = left.turnID
    shownID = left.text.isEmpty ? nil : left.knownID
    startedAt = left.startedAt
    isRestored = true
    if left.isHeard { course.turnAppeared() }
  }

  var message: OutgoingMessage { course.message }
  var requestID: String { message.requestID }
  var isRunning: Bool { course.phase == .running }

  /// The turn's id, or the message's where the backend has not named the turn.
  var knownID: String { turnID ?? requestID }

  var reference: TurnReference { TurnReference(requestID: requestID, turnID: turnID) }

  /// The message that a retry would repeat if the turn ended now.
  var left: LeftMessage { LeftMessage(message: message, earlier: course.earlier, arrival: course.arrival) }

  // MARK: Signs of life

  /// The turn is alive: named if it was not, no longer to be posted. Returns whether it had not appeared before.
  mutating func appeared(turnID named: String?, at now: MonotonicNanoseconds, _ effects: inout TurnEffects) -> Bool {
    silence.broken(at: now)
    // The answer to the question comes all the same.
    if course.phase == .asking { hasAsked = true }
    let isNew = course.turnAppeared()
    if isNew || (turnID == nil && named != nil) { effects.remember(.heard(turnID: turnID ?? named)) }
    if turnID == nil, let named {
      turnID = named
      effects.emit(.turnIdentified(requestID: requestID, turnID: named))
    }
    if isNew { effects.emit(.cancelDeadline(.messageRetry(requestID: requestID))) }
    return isNew
  }

  /// Takes a piece of the answer. Returns false where it grows beyond the limit.
  mutating func extend(by delta: ResolveKitTextDelta, _ effects: inout TurnEffects) -> Bool {
    answer.extend(by: delta, of: nameAnswer(), &effects)
  }

  /// Takes the whole answer. Returns false where it is beyond the limit.
  mutating func complete(with text: String, _ effects: inout TurnEffects) -> Bool {
    answer.set(text, isFinal: true, of: nameAnswer(), &effects)
  }

  /// An answer that began under one name continues under it, though the backend names its turn meanwhile.
  private mutating func nameAnswer() -> String {
    let name = shownID ?? knownID
    shownID = name
    return name
  }

  // MARK: The history

  /// Whether the history was asked about this turn, and has not answered.
  var awaitsHistory: Bool { hasAsked || course.phase == .asking }

  /// Asks how the turn stands. Of a message that is still on its way the history knows nothing: what it has may be the
  /// answer to the same words in an earlier turn.
  mutating func askHistory(_ effects: inout TurnEffects) {
    guard isRunning, !hasAsked else { return }
    hasAsked = true
    effects.emit(.loadHistory)
  }

  /// No answer is waited for any more.
  mutating func endQuestion() { hasAsked = false }

  /// The answer that follows the message, which is the last one with its words.
  func answer(in messages: [HistoryMessage]) -> String? {
    let index = messages.lastIndex { $0.role == "user" && $0.content.hasSameBytes(as: message.text) }
    guard let index else { return nil }
    return messages[messages.index(after: index)...].prefix { $0.role != "user" }.last { $0.role == "assistant" }?
      .content
  }

  /// The message goes to another session.
  mutating func moveToNewSession(_ effects: inout TurnEffects) {
    hasAsked = false
    course.moveToNewSession(&effects)
  }
}
