@testable import ResolveKitCore

/// A machine, the shell around it, its journal, and the way to a ``ScriptedBackend``, in virtual time.
final class SimulatedChat {
  /// The fate of one request.
  enum Passage: String, CaseIterable {
    case answered
    /// It does not reach the backend: there is no connection.
    case unreachable
    /// A proxy refuses it with 503.
    case refused
    /// It arrives, and the connection is reset before the answer is whole.
    case reset
    /// It arrives, and a proxy answers 502.
    case badGateway
    /// It arrives, and no answer comes in time.
    case timedOut

    var arrives: Bool { self != .unreachable && self != .refused }

    var failure: RequestFailure? {
      switch self {
      case .answered: nil
      case .unreachable: RequestFailure(message: "connection refused")
      case .refused: RequestFailure(status: 503, message: "busy")
      case .reset: RequestFailure(message: "connection reset")
      case .badGateway: RequestFailure(status: 502, message: "bad gateway")
      case .timedOut: RequestFailure(message: "no answer within 30 s")
      }
    }
  }

  fileprivate enum Item {
    /// For the machine, unless its process or its connection has ended before.
    case event(TurnEvent)
    /// The answer to a post: the turn's id, or a failure.
    case answer(OutgoingMessage, Result<String, RequestFailure>)
    case deadline(TurnDeadline)
    case request(OutgoingMessage, Passage)
    case history(Passage)
    /// The next event of the log, over this connection.
    case pump(connection: Int)
    /// Something outside of the machine.
    case script((SimulatedChat) -> Void)

    /// Whether it happens however often the client starts again.
    var outlivesTheProcess: Bool {
      switch self {
      case .script, .request: true
      case .event, .answer, .deadline, .history, .pump: false
      }
    }
  }

  private(set) var machine = TurnMachine()
  var backend = ScriptedBackend()
  /// The journal's fold: all that the next process knows.
  private(set) var image = SessionImage()
  private(set) var results: [TurnResult] = []
  private(set) var deliveries: [ResolveKitMessageDelivery] = []
  private(set) var posts = 0
  private(set) var refusals: [String] = []
  private(set) var now: MonotonicNanoseconds = 1
  private var agenda: [(at: MonotonicNanoseconds, process: Int, item: Item)] = []
  private var process = 0
  private var connection = 0
  private var isOpen = false
  private var generation = 0
  private var hasSession = false
  private var messages = 0

  /// Asked once for each request.
  var nextPassage: () -> Passage = { .answered }
  /// On the way there, and on the way back, in milliseconds.
  var latency: () -> (Int, Int) = { (20, 20) }
  /// Tells what each turn does, once it is begun.
  var onTurn: (SimulatedChat, ScriptedBackend.Turn) -> Void = { _, _ in }

  init() { start() }

  // MARK: The person

  @discardableResult
  func send(_ text: String) -> OutgoingMessage {
    messages += 1
    let message = OutgoingMessage(requestID: "request-\(messages)", text: text)
    feed(.sendRequested(message, at: now))
    return message
  }

  /// Sends again, as `/retry` does; false where there is nothing to send.
  func retry() -> Bool {
    guard !machine.isTurnInProgress else { return true }
    guard let left = machine.left else { return false }
    switch left.arrival {
    case .ended: send(left.message.text)
    case .no, .unknown, .running: feed(.sendRequested(left.message, at: now))
    }
    return true
  }

  func cancel() { feed(.cancelRequested(at: now)) }

  // MARK: What happens to the client

  /// The connection is cut, and is open again after so many milliseconds.
  func cut(for milliseconds: Int) {
    guard isOpen else { return }
    isOpen = false
    connection += 1
    feed(.streamEnded(generation: generation, isClean: false, reason: "cut", resumesAtOnce: false))
    let current = connection
    later(milliseconds, .script { chat in if chat.connection == current { chat.open() } })
  }

  /// The process ends, with a word to the machine or without, and the next one takes up its journal.
  func restart(isKilled: Bool) {
    if !isKilled { feed(.stopRequested) }
    isOpen = false
    connection += 1
    process += 1
    agenda.removeAll { !$0.item.outlivesTheProcess }
    if isKilled { machine = TurnMachine() }
    start()
  }

  private func start() {
    feed(.startRequested(tools: []))
    if image.sessionID != nil { feed(.restored(image, at: now)) }
  }

  private func open() {
    guard !isOpen, generation > 0 else { return }
    isOpen = true
    connection += 1
    feed(.streamOpened(generation: generation, at: now))
    later(5, .pump(connection: connection))
  }

  // MARK: Time

  /// Does something after so many milliseconds, whatever the client is doing.
  func after(_ milliseconds: Int, _ action: @escaping (SimulatedChat) -> Void) {
    later(milliseconds, .script(action))
  }

  /// Lets time pass until nothing is left to happen, or `isOver`, for `seconds` at most.
  func run(for seconds: Int = 3_600, until isOver: (SimulatedChat) -> Bool = { _ in false }) {
    let end = now.advanced(bySeconds: seconds)
    while !isOver(self), let index = agenda.indices.min(by: { agenda[$0].at < agenda[$1].at }), agenda[index].at <= end
    {
      let entry = agenda.remove(at: index)
      now = max(now, entry.at)
      perform(entry.item, of: entry.process)
    }
  }

  private func later(_ milliseconds: Int, _ item: Item) {
    agenda.append((now.advanced(byNanoseconds: UInt64(milliseconds) * 1_000_000), process, item))
  }

  private func perform(_ item: Item, of owner: Int) {
    switch item {
    case .event(let event): feed(event)
    case .answer(let message, .success(let turnID)):
      feed(.messageAccepted(requestID: message.requestID, turnID: turnID, at: now))
    case .answer(let message, .failure(let failure)):
      feed(.messageFailed(requestID: message.requestID, failure, at: now))
    case .deadline(let deadline): feed(.deadlinePassed(deadline, at: now))
    case .script(let action): action(self)
    case .pump(let number): pump(number)
    case .history(let passage):
      if let failure = passage.failure { return feed(.historyFailed(failure, at: now)) }
      feed(.historyLoaded(backend.history, at: now))
    case .request(let message, let passage): arrive(message, passage, for: owner)
    }
  }

  private func arrive(_ message: OutgoingMessage, _ passage: Passage, for owner: Int) {
    var answer = passage.failure.map { Result<String, RequestFailure>.failure($0) }
    if passage.arrives {
      let begun = backend.turns.count
      let result = backend.post(message, at: now)
      answer = answer ?? result
      if backend.turns.count > begun { onTurn(self, backend.turns[begun]) }
    }
    // The process that waits for it may be gone.
    guard owner == process, let answer else { return }
    later(passage == .timedOut ? 30_000 : latency().1, .answer(message, answer))
  }

  private func pump(_ number: Int) {
    guard isOpen, number == connection else { return }
    let known = machine.cursor.flatMap { id in backend.log.lastIndex { $0.id == id } }.map { $0 + 1 } ?? 0
    if known < backend.log.count {
      let event = backend.log[known]
      feed(
        .streamEvent(
          StreamEvent(generation: generation, id: event.id, type: event.type, data: event.data, arrivedAt: now)))
    }
    if isOpen, number == connection, known + 1 < backend.log.count { later(1, .pump(connection: number)) }
  }

  /// The log has grown.
  func endTurn(fails: Bool = false) {
    backend.endTurn(fails: fails)
    later(5, .pump(connection: connection))
  }

  // MARK: The shell

  private func feed(_ event: TurnEvent) {
    let actions = machine.handle(event)
    if !machine.record.isEmpty {
      image.apply(JournalRecord(sequence: 1, wallMilliseconds: 1, time: now, entries: machine.record))
    }
    for action in actions { perform(action) }
  }

  private func perform(_ action: TurnAction) {
    switch action {
    case .register: later(1, .event(.registered))
    case .createSession:
      later(1, .event(.sessionCreated(sessionID: "session", isReused: hasSession)))
      hasSession = true
    case .openStream(let number, _):
      generation = number
      isOpen = false
      connection += 1
      let current = connection
      later(10, .script { chat in if chat.connection == current { chat.open() } })
    case .closeStream:
      isOpen = false
      connection += 1
    case .postMessage(let message):
      posts += 1
      later(latency().0, .request(message, nextPassage()))
    case .loadHistory:
      let passage = nextPassage()
      later(passage == .timedOut ? 30_000 : latency().0, .history(passage))
    case .turnFinished(let result): results.append(result)
    case .showDelivery(_, let delivery): deliveries.append(delivery)
    case .refuseMessage(_, let reason): refusals.append(reason)
    case .scheduleDeadline(let deadline, let at):
      agenda.removeAll { $0.item.isDeadline(deadline) }
      agenda.append((max(at, now), process, .deadline(deadline)))
    case .cancelDeadline(let deadline): agenda.removeAll { $0.item.isDeadline(deadline) }
    default: break
    }
  }
}

extension SimulatedChat.Item {
  fileprivate func isDeadline(_ other: TurnDeadline) -> Bool {
    if case .deadline(other) = self { true } else { false }
  }
}
