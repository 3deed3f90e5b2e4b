import ResolveKitCore

/// A chat's rules at the remote's end: takes the messages of the companion and a person, and returns updates and requests.
///
/// Pure. What came before is passed over by its number, so that an event counts once however often it comes.
struct RemoteChatMachine: Equatable, Sendable {
  enum Effect: Equatable, Sendable {
    case report(RemoteUpdate)
    case post(id: String, text: String)
    case decide(id: String, RemoteDecision, content: JSONObject?)
    /// Events are missing: the history is to be read again.
    case reload
  }

  private let limits: RemoteChatLimits
  private var log: RemoteTranscriptLog
  private var outbox: RemoteOutbox
  private var runningTurnID: String?
  private var isContinuing = false
  private var approvals: [RemoteApproval] = []
  private var decisions: RemoteDecisions
  private var link = RemoteLink.idle
  /// Whether the chat was closed, so that nothing is sent until it is opened again.
  private var isClosed = false
  /// The cursor of the page before; nil where there is none.
  private(set) var earlierCursor: Int?
  /// The turn that the events report from its beginning, so that no page of the history may report it too.
  private var reportedTurnID: String?
  /// Whether the history was read.
  private var isLoaded = false
  /// The turn that the events are to report and have not begun to.
  private var awaitedTurnID: String?
  private var sequence: Int?
  /// A turn that the history has, and the events report again.
  private var knownTurnID: String?
  private var hasReloaded = false
  /// Whether events of the turn that runs are missing.
  private var isTorn = false

  init(limits: RemoteChatLimits = RemoteChatLimits()) {
    self.limits = limits
    log = RemoteTranscriptLog(limits: limits)
    outbox = RemoteOutbox(limits: limits)
    decisions = RemoteDecisions(limits: limits)
  }

  /// The chat as it is now.
  var state: RemoteChatState {
    var state = RemoteChatState()
    state.entries = log.entries
    state.runningTurnID = runningTurnID
    state.isContinuing = isContinuing
    state.approvals = approvals
    state.outgoing = outbox.messages
    state.link = link
    state.isCurrent = isLoaded && awaitedTurnID == nil
    state.hasEarlier = earlierCursor != nil
    state.sequence = sequence
    return state
  }

  /// The time at which ``timeReached(_:)`` is due; nil for never.
  var nextDeadline: Duration? {
    isClosed ? nil : [outbox.nextDeadline, decisions.nextDeadline].compactMap(\.self).min()
  }

  // MARK: Companion

  /// The history was read, before the events behind its cursor.
  mutating func loaded(_ timeline: RemoteTimeline) -> [Effect] {
    let reported = timeline.streamTurnID
    // Where turns came after it, the companion did not see them, and reports nothing of this one.
    let isLatest = timeline.messages.last?.turnID == reported || !timeline.messages.contains { $0.turnID == reported }
    knownTurnID = isLatest ? nil : reported
    reportedTurnID = isLatest ? reported : nil
    isLoaded = true
    awaitedTurnID = reportedTurnID
    log.replace(with: RemoteHistoryOrder.merged(timeline, without: reportedTurnID))
    earlierCursor = timeline.olderCursor
    sequence = timeline.streamCursor
    runningTurnID = nil
    isContinuing = false
    approvals = []
    return [.report(.loaded(log.entries))]
  }

  /// The page before a cursor was read. It is passed over where the history was read again meanwhile, or the page came already.
  mutating func loadedEarlier(_ timeline: RemoteTimeline, before cursor: Int) -> [Effect] {
    guard earlierCursor == cursor else { return [] }
    // One that leads no further back would have a reader ask for ever.
    earlierCursor = timeline.olderCursor.flatMap { $0 < cursor ? $0 : nil }
    var seen: Set<RemoteEntryID> = []
    let page = RemoteHistoryOrder.merged(timeline, without: reportedTurnID).filter {
      log[$0.id] == nil && seen.insert($0.id).inserted
    }
    log.prepend(page)
    return [.report(.earlier(page, hasMore: earlierCursor != nil))]
  }

  mutating func linkChanged(_ link: RemoteLink, at now: Duration) -> [Effect] {
    guard self.link != link else { return [] }
    let wasClosed = isClosed
    self.link = link
    isClosed = link == .idle
    if case .open = link {
      outbox.retryNow(at: now)
      decisions.retryNow(at: now)
    } else if !wasClosed {
      return [.report(.link(link))]
    }
    return [.report(.link(link))] + timeReached(now)
  }

  /// An event of the stream.
  ///
  /// - Parameter id: nil for one without a number of its own: the questions that wait, which are sent whenever the stream
  ///   is opened.
  mutating func received(_ event: RemoteEvent, id: Int?) -> [Effect] {
    guard let id else {
      guard case .approvalRequired(let approval) = event else { return [] }
      return ask(approval)
    }
    var effects: [Effect] = []
    if let sequence {
      guard id > sequence else { return [] }
      if id > sequence + 1 {
        effects.append(.report(.notice("Events are missing before number \(id).")))
        if !hasReloaded {
          hasReloaded = true
          return effects + [.reload]
        }
        isTorn = true
      }
    }
    sequence = id
    return effects + apply(event)
  }

  /// An event that cannot be understood: it is reported, and later events count.
  mutating func passedOver(id: Int?, reason: String) -> [Effect] {
    if let id, let sequence, id > sequence, id - 1 == sequence { self.sequence = id }
    return [.report(.notice("An event cannot be understood and was passed over: \(reason)."))]
  }

  private mutating func apply(_ event: RemoteEvent) -> [Effect] {
    switch event {
    case .turnStarted(let turnID):
      awaitedTurnID = nil
      isContinuing = false
      guard turnID != knownTurnID, runningTurnID != turnID else { return [] }
      runningTurnID = turnID
      isTorn = false
      return [.report(.turnStarted(turnID: turnID))]
    case .turnCompleted(let turnID, let status, let error, let continues):
      awaitedTurnID = nil
      isContinuing = continues
      let isWhole = runningTurnID == turnID && !isTorn
      let dropped = outbox.turnEnded(turnID, isWhole: isWhole).map { Effect.report(.message($0)) }
      hasReloaded = false
      if runningTurnID == turnID { runningTurnID = nil }
      guard turnID != knownTurnID else { return dropped }
      let continued: [Effect] = continues ? [.report(.turnContinues(turnID: turnID))] : []
      return dropped + continued + [.report(.turnEnded(turnID: turnID, status: status, error: error))]
    case .itemStarted(let item): return put(RemoteEntry(item, isCompleted: false), isStart: true)
    case .itemCompleted(let item): return put(RemoteEntry(item, isCompleted: true), isStart: false)
    case .messageDelta(let id, let text):
      guard id.turnID != knownTurnID, let added = log.append(text, to: id) else { return [] }
      return [.report(.text(id, appended: added))]
    case .error(let message, let willRetry):
      if !willRetry { isContinuing = false }
      return [.report(.notice(willRetry ? "\(message) (codex tries again)" : message))]
    case .approvalRequired(let approval): return ask(approval)
    case .approvalCleared(let ids, let reason):
      let gone = approvals.filter { ids.contains($0.id) }
      approvals.removeAll { ids.contains($0.id) }
      for id in ids { decisions.questionGone(id) }
      return gone.map { .report(.approvalGone(id: $0.id, reason: reason)) }
    case .unknown: return []
    }
  }

  private mutating func put(_ entry: RemoteEntry?, isStart: Bool) -> [Effect] {
    guard let entry else { return [] }
    if let requestID = entry.requestID { outbox.seen(requestID) }
    guard entry.id.turnID != knownTurnID else { return [] }
    guard !isStart || log[entry.id] == nil else { return [] }
    log.put(entry)
    return [.report(.entry(entry))]
  }

  private mutating func ask(_ approval: RemoteApproval) -> [Effect] {
    if let index = approvals.firstIndex(where: { $0.id == approval.id }) {
      approvals[index] = approval
      return []
    }
    guard approvals.count < limits.approvals else {
      return [.report(.notice("More questions wait than are shown; answer some, or stop the turn."))]
    }
    approvals.append(approval)
    return [.report(.approvalNeeded(approval))]
  }

  // MARK: Person

  /// A person's message, under an id that makes it start one turn however often it is sent.
  mutating func send(_ text: String, id: String, at now: Duration) -> [Effect] {
    guard outbox.add(text, id: id) else {
      let refused = RemoteOutgoing(
        id: id, text: text,
        delivery: .failed(.tooManyRequests, reason: "Too many messages wait to be sent; let them go first."))
      return [.report(.message(refused))]
    }
    return timeReached(now)
  }

  /// A message is not to be sent any more; whether it was still on its way.
  mutating func withdraw(_ id: String, at now: Duration) -> (isPending: Bool, [Effect]) {
    guard outbox.messages.contains(where: { $0.id == id && $0.isPending }) else { return (false, []) }
    return (true, reported(outbox.withdraw(id)) + timeReached(now))
  }

  mutating func sent(_ id: String, _ receipt: RemoteReceipt, at now: Duration) -> [Effect] {
    reported(outbox.taken(id, turnID: receipt.turnID)) + timeReached(now)
  }

  mutating func sendFailed(
    _ id: String, _ error: RemoteError, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    reported(outbox.failed(id, error, at: now, using: &generator)) + timeReached(now)
  }

  /// The time of ``nextDeadline`` has come.
  mutating func timeReached(_ now: Duration) -> [Effect] {
    guard !isClosed else { return [] }
    let answers = decisions.due(at: now).map { Effect.decide(id: $0.id, $0.decision, content: $0.content) }
    guard let message = outbox.next(at: now) else { return answers }
    return answers + [.post(id: message.id, text: message.text)]
  }

  /// A person's answer to a question. One that nobody waits for any more has no effect, and that is reported.
  mutating func decide(_ id: String, _ decision: RemoteDecision, content: JSONObject? = nil) -> [Effect] {
    guard let approval = approvals.first(where: { $0.id == id }) else {
      return [.report(.decisionRefused(id: id, reason: "It was answered elsewhere, or is not asked any more."))]
    }
    let isOffered =
      switch decision {
      case .approve: approval.answering.isPossible
      case .decline: true
      case .cancel: approval.allowsCancel
      case .allowForSession: approval.allowsSession
      case .allowAlways: approval.allowsAlways
      }
    guard isOffered else {
      return [.report(.decisionRefused(id: id, reason: "That is not offered; take another answer, or decline."))]
    }
    if decision == .approve, case .form(let form) = approval.answering {
      do { _ = try form.content(content ?? [:]) } catch {
        return [.report(.decisionRefused(id: id, reason: error.message))]
      }
    }
    guard decisions.begin(RemoteDecisions.Answer(id: id, decision: decision, content: content)) else {
      return [.report(.decisionRefused(id: id, reason: "An answer to it is on its way."))]
    }
    return [.decide(id: id, decision, content: content)]
  }

  mutating func decided(_ id: String) -> [Effect] {
    decisions.end(id)
    guard approvals.contains(where: { $0.id == id }) else { return [] }
    approvals.removeAll { $0.id == id }
    return [.report(.approvalGone(id: id, reason: "It was answered here."))]
  }

  /// An answer was refused, or is lost and tried again. Where the question is gone an answer has counted.
  mutating func decisionFailed(
    _ id: String, _ error: RemoteError, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    let isOpen = approvals.contains { $0.id == id }
    switch decisions.failed(id, error, at: now, using: &generator) {
    case .retrying(let isFirst):
      return isFirst ? [.report(.notice("The answer is tried again, and counts once: \(error.message)"))] : []
    case .superseded: return isOpen ? gone(id, "It was answered.") : []
    case .refused:
      guard isOpen || !error.isTransient else { return [] }
      return [.report(.decisionRefused(id: id, reason: error.message))]
        + (isOpen && error.code == .notFound ? gone(id, "It is not asked any more.") : [])
    }
  }

  private mutating func gone(_ id: String, _ reason: String) -> [Effect] {
    approvals.removeAll { $0.id == id }
    return [.report(.approvalGone(id: id, reason: reason))]
  }

  private func reported(_ message: RemoteOutgoing?) -> [Effect] { message.map { [.report(.message($0))] } ?? [] }
}
