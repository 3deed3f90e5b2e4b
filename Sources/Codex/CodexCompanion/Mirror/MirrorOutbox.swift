import CodexWorkersClient
import EventLedger
import Logging

/// Brings the chats' events to the worker's log: each once, those of a chat in order.
///
/// The chats' own log on disk is the outbox. It survives whatever is killed and is bounded; how far each chat was
/// mirrored is in the book, and what may have been posted already is posted again under the same key.
actor MirrorOutbox {
  struct Services: Sendable {
    let mirror: MirrorConfiguration
    let store: MirrorStore
    let policy: MirrorPolicyFile
    let directory: ChatDirectory
    let ledger: any EventLedger
    let gate: MirrorGate
    let clock: any Clock<Duration>
    let now: @Sendable () -> WallTime
    let logger: Logger
  }

  private enum Standing {
    case mirrored(since: WallTime)
    /// Hidden, or not switched on, or codex does not report it.
    case unmirrored
    /// Asked again later; until then the cursor stays.
    case unknown
  }

  /// Events of a chat before another one has its turn.
  private static let batch = 64
  /// The interval at which a chat that codex does not list is asked for.
  private static let lookUps = 5

  private let services: Services
  private let history: String
  private var due: [String] = []
  private var isDue: Set<String> = []
  private var misses: [String: Int] = [:]
  private var isPolicyUnreadable = false
  private var wakeUp: CheckedContinuation<Void, Never>?

  /// - Parameter history: the name of the history of the chats' log.
  init(_ services: Services, history: String) {
    self.services = services
    self.history = history
  }

  /// A chat may have events that are not mirrored.
  func note(_ chat: String) {
    guard isDue.insert(chat).inserted else { return }
    due.append(chat)
    wakeUp?.resume()
    wakeUp = nil
  }

  /// Mirrors until the task is cancelled. Throws ``WorkersError`` where the worker has to be registered again.
  func run() async throws {
    while true {
      try Task.checkCancellation()
      guard !due.isEmpty else {
        await wait()
        continue
      }
      let chat = due.removeFirst()
      isDue.remove(chat)
      do {
        try await mirror(chat)
      } catch {
        note(chat)
        throw error
      }
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { wakeUp = continuation }
      }
    } onCancel: {
      Task { await self.wake() }
    }
  }

  private func wake() {
    wakeUp?.resume()
    wakeUp = nil
  }

  private func mirror(_ chat: String) async throws {
    let stream = ChatLog.stream(of: chat)
    let extent: LedgerExtent
    do {
      extent = try await services.ledger.extent(of: stream)
    } catch let error as LedgerError where error.code == .unknownStream {
      return
    }
    var cursor = await services.store.book.cursor(of: chat) ?? 0
    guard cursor < extent.last else { return }
    let start: WallTime
    switch await standing(of: chat) {
    case .mirrored(let since): start = since
    case .unmirrored:
      // Earlier events never are.
      return await services.store.note { $0.set(chat, to: extent.last) }
    case .unknown:
      return retryLater(chat)
    }
    if cursor < extent.floor {
      let lost = MirrorEvent.gap(cursor + 1...extent.floor, chat: chat, at: services.now())
      try await post(lost, key: "\(key(chat))-gap-\(extent.floor)")
      cursor = extent.floor
    }
    let events = try await services.ledger.events(of: stream, after: cursor, limit: Self.batch)
    for event in events {
      if event.time >= start, let reported = ChatEvent(event) {
        try await post(
          MirrorEvent.draft(reported, sequence: event.sequence, chat: chat, at: event.time),
          key: "\(key(chat))-\(event.sequence)")
      }
      await services.store.note { $0.set(chat, to: event.sequence) }
    }
    await services.store.save()
    if let last = events.last, last.sequence < extent.last { note(chat) }
  }

  /// Unique in the worker's log: a chat's name, and the history that its numbers are of.
  private func key(_ chat: String) -> String { "\(history)-\(chat)" }

  private func standing(of chat: String) async -> Standing {
    do {
      let folder = try await services.directory.shownFolder(of: chat)
      misses[chat] = nil
      let since = try folder.flatMap { folder in
        let policy = try services.policy.read()
        isPolicyUnreadable = false
        return policy.start(of: folder, for: services.mirror.account)
      }
      return since.map { .mirrored(since: $0) } ?? .unmirrored
    } catch let error as StoreError {
      // It is read again every second for each chat.
      if !isPolicyUnreadable {
        services.logger.error("events wait until the mirror's policy can be read again: \(error)")
      }
      isPolicyUnreadable = true
      return .unknown
    } catch {
      let count = (misses[chat] ?? 0) + 1
      let isGone = (error as? ChatError)?.code == .unknownChat && count >= Self.lookUps
      misses[chat] = isGone ? nil : count
      return isGone ? .unmirrored : .unknown
    }
  }

  /// codex may be starting, or write a new chat's file in a moment.
  private func retryLater(_ chat: String) {
    Task { [clock = services.clock] in
      try? await clock.sleep(for: .seconds(1))
      self.note(chat)
    }
  }

  private func post(_ draft: WorkerEventDraft, key: String) async throws {
    var backoff = WorkerBackoff()
    var generator = SystemRandomNumberGenerator()
    while true {
      try await services.gate.pass()
      do {
        _ = try await services.mirror.client.store(draft, in: services.mirror.worker, key: key)
        return
      } catch let error as WorkersError {
        switch MirrorVerdict(error) {
        case .again:
          if backoff.failures == 0 { services.logger.warning("an event is not mirrored yet: \(error)") }
          backoff.failed()
          try await services.clock.sleep(for: max(backoff.delay(using: &generator), error.retryAfter ?? .zero))
        case .stopped: await services.gate.set(isRunning: false)
        case .drop:
          services.logger.error("an event is not mirrored: \(error)", metadata: ["key": "\(key)"])
          return
        case .startOver: throw error
        }
      }
    }
  }
}
