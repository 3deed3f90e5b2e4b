import Synchronization

/// Follows streams of a ledger for many readers.
///
/// Appends of this process wake readers at once, those of others as soon as the ledger hears of them or the next poll
/// finds them; one poll asks for all streams, and only while somebody waits. What a stream's waiting readers wait for is
/// read once for all of them; where they are many, and events come fast, several events in one go. A reader that is
/// further behind than the newest events that are kept reads pages of its own, and slows nobody.
package final class LedgerFeed: Sendable {
  private struct State {
    var core: FeedCore
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var polling: Task<Void, Never>?
    var subscription: LedgerNews.Subscription?
  }

  private let state: Mutex<State>
  private let source: any FeedSource
  private let limits: FeedLimits
  private let clock: any Clock<Duration>

  package init(
    _ source: any FeedSource, limits: FeedLimits = FeedLimits(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.source = source
    self.limits = limits
    self.clock = clock
    state = Mutex(State(core: FeedCore(limits: limits)))
    let subscription = source.news.subscribe { [weak self] change in self?.update { $0.heard(change) } }
    state.withLock { $0.subscription = subscription }
  }

  /// The events of a stream after a cursor, those to come too.
  package func follow(_ stream: String, after cursor: Int64) -> FollowedStream {
    FollowedStream(feed: self, stream: stream, cursor: cursor)
  }

  /// Has all readers end once they have what is there, those to come too.
  package func close() {
    update { $0.close() }
    let polling = state.withLock { state in
      state.subscription = nil
      return state.polling
    }
    polling?.cancel()
  }

  /// Has the readers end that there are now, whose streams are not those any more that they followed; those to come are
  /// served.
  package func dismiss() { update { $0.dismiss() } }

  /// The events that are held for readers now.
  package var load: FeedLoad { state.withLock { $0.core.load } }

  func sit(_ stream: String) throws -> FeedSeat {
    try state.withLock { state throws(LedgerError) in try state.core.sit(stream) }
  }

  func rise(_ seat: FeedSeat) { update { $0.rise(seat) } }

  func offer(_ seat: FeedSeat, after cursor: Int64, _ standing: FeedCursor.Standing) -> FeedOffer {
    state.withLock { $0.core.offer(seat, after: cursor, standing) }
  }

  func page(_ stream: String, after cursor: Int64) async throws -> [LedgerEvent] {
    try await source.events(of: stream, after: cursor, limit: limits.pageEvents)
  }

  /// Returns when there may be something after the cursor, or the task is cancelled. What came since the offer is not
  /// missed: the rules are asked again, under the lock that puts the reader among those to wake.
  func wait(_ seat: FeedSeat, after cursor: Int64, _ standing: FeedCursor.Standing) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = update(waiter: (seat.number, continuation)) { core in
          // The handler has run, or will after this: it takes the same lock.
          !Task.isCancelled && core.wait(seat, after: cursor, standing)
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      update { $0.stopWaiting(seat) }
      state.withLock { $0.waiting.removeValue(forKey: seat.number) }?.resume()
    }
  }

  private func update(_ body: (inout FeedCore) -> Void) {
    _ = update(waiter: nil) { core in
      body(&core)
      return false
    }
  }

  /// Tells the rules something and does what they answer. The waiter is kept where `body` returns true.
  private func update(
    waiter: (Int, CheckedContinuation<Void, Never>)?, _ body: (inout FeedCore) -> Bool
  ) -> Bool {
    let (isKept, actions, woken) = state.withLock { state in
      let isKept = body(&state.core)
      if isKept, let (number, continuation) = waiter { state.waiting[number] = continuation }
      let actions = state.core.takeActions()
      var woken: [CheckedContinuation<Void, Never>] = []
      for case .wake(let readers) in actions {
        woken += readers.compactMap { state.waiting.removeValue(forKey: $0) }
      }
      return (isKept, actions, woken)
    }
    for continuation in woken { continuation.resume() }
    for action in actions { perform(action) }
    return isKept
  }

  private func perform(_ action: FeedCore.Action) {
    switch action {
    case .wake: break  // Done under the lock, where the continuations are.
    case .fetch(let fetch): Task { await perform(fetch) }
    case .rest(let rest):
      Task { [clock] in
        let time = await clock.measure { try? await clock.sleep(for: rest.time) }
        update { $0.rested(rest, in: time) }
      }
    case .pollNow:
      let poll = state.withLock { $0.core.poll }
      if let poll { Task { await perform(poll) } }
    case .startPolling:
      let polling = Task { [clock, limits] in
        repeat {
          do { try await clock.sleep(for: limits.pollInterval) } catch { return }
        } while await continuePolling()
      }
      state.withLock { $0.polling = polling }
    }
  }

  private func perform(_ fetch: FeedFetch) async {
    do {
      let page = try await page(fetch.stream, after: fetch.cursor)
      update { $0.fetched(page, by: fetch) }
    } catch {
      update { $0.failed(fetch, (error as? LedgerError)?.code) }
    }
  }

  /// Returns false where nobody waits any more.
  private func continuePolling() async -> Bool {
    guard let poll = state.withLock({ $0.core.continuePolling() }) else { return false }
    await perform(poll)
    return true
  }

  private func perform(_ poll: FeedPoll) async {
    do {
      let extents = try await source.extents(of: Array(poll.watches.keys))
      update { $0.polled(extents, by: poll) }
    } catch {
      update { $0.failed(poll) }
    }
  }
}
