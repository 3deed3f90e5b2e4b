import EventStream
import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport

/// Holds a chat open: reads its history, follows its events, sends what a person says; does what ``RemoteChatMachine`` says.
actor RemoteChatEngine {
  /// Entries of an earlier page.
  private static let pageEntries = 200

  nonisolated let hub = RemoteUpdateHub()
  private let client: RemoteClient
  private let chatID: String
  private var machine: RemoteChatMachine
  private var generator: any RandomNumberGenerator & Sendable
  private var backoff = Backoff()
  private var running: Task<Void, Never>?
  private var alarm: Task<Void, Never>?
  private var isReloadDue = false
  /// The token that the last attempt to open the stream carried.
  private var usedToken = ""

  init(
    _ client: RemoteClient, chatID: String, machine: RemoteChatMachine = RemoteChatMachine(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.client = client
    self.chatID = chatID
    self.machine = machine
    self.generator = generator
  }

  var state: RemoteChatState { machine.state }

  /// Opens it, also where it was closed.
  func open() {
    guard running == nil else { return }
    isReloadDue = false
    backoff.reset()
    running = Task { await run() }
  }

  func close() async {
    running?.cancel()
    alarm?.cancel()
    await running?.value
    running = nil
    perform(machine.linkChanged(.idle, at: client.clock.now()))
    hub.finish()
  }

  // MARK: Person

  /// Reads the page before the first; whether there was one. Throws ``RemoteError``.
  func loadEarlier() async throws -> Bool {
    guard let cursor = machine.earlierCursor else { return false }
    let page = try await client.timeline(ofChat: chatID, before: cursor, limit: Self.pageEntries)
    perform(machine.loadedEarlier(page, before: cursor))
    return true
  }

  func send(_ text: String, id: String) { perform(machine.send(text, id: id, at: client.clock.now())) }

  /// Whether the message was still on its way.
  func withdraw(_ id: String) -> Bool {
    let (isPending, effects) = machine.withdraw(id, at: client.clock.now())
    perform(effects)
    return isPending
  }

  func decide(_ id: String, _ decision: RemoteDecision, content: JSONObject?) {
    perform(machine.decide(id, decision, content: content))
  }

  // MARK: Stream

  private func run() async {
    perform(machine.linkChanged(.connecting(attempt: 1), at: client.clock.now()))
    do { try await client.activate(chatID) } catch {
      // The stream itself reports what is wrong; events of a chat that is loaded come in any case.
      client.logger.debug("the chat is not loaded: \(error)")
    }
    var attempt = 0
    while !Task.isCancelled {
      attempt += 1
      perform(machine.linkChanged(.connecting(attempt: attempt), at: client.clock.now()))
      let failure: RemoteError
      do {
        let timeline = try await client.timeline(ofChat: chatID)
        perform(machine.loaded(timeline))
        try await follow()
        // Only where events are missing.
        failure = RemoteError(.gone, "The history is read anew.")
      } catch {
        failure = RemoteError(error)
      }
      guard !Task.isCancelled else { return }
      guard failure.isTransient || failure.code == .gone else {
        perform(machine.linkChanged(.closed(failure.code, reason: failure.message), at: client.clock.now()))
        return
      }
      let wait = backoff.delay(after: .refused(retryAfter: failure.retryAfter), using: &generator)
      perform(machine.linkChanged(.waiting(reason: failure.message, retryIn: wait), at: client.clock.now()))
      do { try await client.clock.sleep(wait) } catch { return }
    }
  }

  /// Follows the events until the history has to be read again. Throws what ends the stream permanently.
  private func follow() async throws {
    // A companion that refuses what it has just issued is asked no more.
    var issued: String?
    while true {
      do {
        return try await read()
      } catch EventSourceError.status(let status, _) where status == 401 && usedToken != issued {
        issued = try await client.renewedToken(after: usedToken)
      }
    }
  }

  private func read() async throws {
    var configuration = EventSourceConfiguration()
    configuration.cursor = .queryAndLastEventID(name: "cursor")
    configuration.lastEventID = machine.state.sequence.map(String.init) ?? ""
    configuration.clock = client.clock
    configuration.limits = EventStreamLimits(line: 4 << 20, event: 4 << 20, buffered: 8 << 20)
    let source = EventSourceClient(transport: client.transport, configuration: configuration, logger: client.logger)
    let path = "/v1/stream?chatId=" + PercentEncoding.encode(chatID)
    let updates = source.updates { [weak self] _ in
      let token = try await self?.freshToken() ?? ""
      var fields = HTTPFields()
      fields[.authorization] = "Bearer \(token)"
      return EventSourceRequest(path: path, fields: fields)
    }
    for try await update in updates {
      take(update)
      guard !isReloadDue else {
        isReloadDue = false
        return
      }
    }
    throw RemoteError(.gone, "The companion closed the stream; it will not be opened again.")
  }

  private func freshToken() async throws -> String {
    usedToken = try await client.token()
    return usedToken
  }

  private func take(_ update: EventSourceUpdate) {
    let now = client.clock.now()
    switch update {
    case .connecting(let attempt):
      perform(machine.linkChanged(.connecting(attempt: attempt), at: now))
    case .opened(let connection):
      backoff.reset()
      perform(machine.linkChanged(.open(connection), at: now))
    case .event(let event, _):
      let number = event.hasOwnID ? Int(event.lastEventID) : nil
      do {
        guard !event.hasOwnID || number != nil else {
          throw JSONError(.unexpectedShape, "an event's number is none")
        }
        perform(machine.received(try RemoteEvent(frame: event.data), id: number))
      } catch {
        perform(machine.passedOver(id: number, reason: "\(error)"))
      }
    case .comment, .idCommitted: break
    case .disconnected(let reason, _, let retryIn):
      perform(machine.linkChanged(.waiting(reason: reason.description, retryIn: retryIn), at: now))
    }
  }

  // MARK: Effects

  private func perform(_ effects: [RemoteChatMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .report(let update):
        noteAttention(update)
        hub.report(update)
      case .post(let id, let text): Task { await post(id, text) }
      case .decide(let id, let decision, let content): Task { await answer(id, decision, content) }
      case .reload: isReloadDue = true
      }
    }
    setAlarm()
  }

  /// While something is awaited, a path that fell silent is noticed within seconds.
  private func noteAttention(_ update: RemoteUpdate) {
    switch update {
    case .turnStarted: client.transport.setResponseExpected(true)
    case .turnEnded:
      client.transport.setResponseExpected(machine.state.runningTurnID != nil || machine.state.isContinuing)
    case .loaded, .earlier, .resynchronized, .link, .turnContinues, .entry, .text, .approvalNeeded, .approvalGone,
      .decisionRefused,
      .message,
      .notice:
      break
    }
  }

  private func post(_ id: String, _ text: String) async {
    do {
      let receipt = try await client.send(text, toChat: chatID, requestID: id)
      perform(machine.sent(id, receipt, at: client.clock.now()))
    } catch {
      perform(machine.sendFailed(id, RemoteError(error), at: client.clock.now(), using: &generator))
    }
  }

  private func answer(_ id: String, _ decision: RemoteDecision, _ content: JSONObject?) async {
    do {
      try await client.decide(id, decision, content: content)
      perform(machine.decided(id))
    } catch {
      perform(machine.decisionFailed(id, RemoteError(error), at: client.clock.now(), using: &generator))
    }
  }

  private func setAlarm() {
    alarm?.cancel()
    alarm = nil
    guard let due = machine.nextDeadline else { return }
    let clock = client.clock
    alarm = Task {
      do { try await clock.sleep(max(.zero, due - clock.now())) } catch { return }
      self.timeReached()
    }
  }

  private func timeReached() { perform(machine.timeReached(client.clock.now())) }
}
