/// The next step of a feed's reader.
package enum FeedOffer: Equatable {
  /// Take these, which come next.
  case events([LedgerEvent])
  /// Read a page from the ledger.
  case read
  case wait
  /// The feed is closed.
  case end
}

/// A reader's place in a feed.
package struct FeedSeat: Hashable, Sendable {
  package let number: Int
  package let stream: String
}

/// A read of what follows the end of a tail, for all its readers.
package struct FeedFetch: Equatable, Sendable {
  package let stream: String
  package let tail: Int
  package let cursor: Int64
}

/// A pause in the reads of a tail, which has woken many readers.
package struct FeedRest: Equatable, Sendable {
  package let stream: String
  package let tail: Int
  package let time: Duration
}

/// A question to the ledger for the extents of all streams whose readers wait.
package struct FeedPoll: Equatable, Sendable {
  /// The tail's knowledge when the poll began.
  package struct Watch: Equatable, Sendable {
    package let tail: Int
    package let end: Int64
  }
  package let watches: [String: Watch]
}

/// The rules of a feed: who waits for which stream, what is read for all, who is woken. Pure: it learns what readers
/// and the ledger do, and answers with what is to be done.
package struct FeedCore {
  /// The shell's actions.
  package enum Action: Equatable {
    case fetch(FeedFetch)
    case wake([Int])
    /// Tell ``FeedCore/rested(_:in:)`` when the time is over.
    case rest(FeedRest)
    /// Begin to poll, after an interval, until ``continuePolling()`` returns nil.
    case startPolling
    /// Ask once, at once.
    case pollNow
  }

  private enum State {
    case open(isPolling: Bool)
    case closed
  }

  private let limits: FeedLimits
  private var state = State.open(isPolling: false)
  private var tails: [String: StreamTail] = [:]
  private var count = 0
  private var readers = 0
  /// Readers with this number or a lower one are to end.
  private var dismissed = 0
  private var bytes = 0
  private var strain = FeedStrain()
  private var actions: [Action] = []

  package init(limits: FeedLimits) {
    self.limits = limits
  }

  /// The events that are held for readers.
  package var load: FeedLoad { FeedLoad(readers: readers, streams: tails.count, bytes: bytes) }

  /// The actions since the last call.
  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  /// Gives a reader a place.
  package mutating func sit(_ stream: String) throws(LedgerError) -> FeedSeat {
    guard readers < limits.readers else {
      throw LedgerError(.exhausted, "\(readers) readers follow streams, which is the most; try again later.")
    }
    readers += 1
    count += 1
    let seat = FeedSeat(number: count, stream: stream)
    if tails[stream] == nil { tails[stream] = StreamTail(number: count) }
    tails[stream]?.sit()
    return seat
  }

  /// A reader has left.
  package mutating func rise(_ seat: FeedSeat) {
    readers -= 1
    change(seat.stream) { $0.rise(seat.number) }
    guard let tail = tails[seat.stream], tail.readerCount == 0 else { return }
    bytes -= tail.ring.bytes
    tails[seat.stream] = nil
  }

  /// The next step of a reader.
  package func offer(_ seat: FeedSeat, after cursor: Int64, _ standing: FeedCursor.Standing) -> FeedOffer {
    guard let tail = tails[seat.stream], seat.number > dismissed else { return .end }
    switch state {
    case .open: return tail.offer(after: cursor, standing, limit: limits.pageEvents)
    // What is there already is still read.
    case .closed:
      switch standing {
      case .claimed, .reached: return .read
      case .atEnd: return .end
      }
    }
  }

  /// Lets a reader wait until a `wake` names it; false where it need not.
  package mutating func wait(_ seat: FeedSeat, after cursor: Int64, _ standing: FeedCursor.Standing) -> Bool {
    guard offer(seat, after: cursor, standing) == .wait else { return false }
    wake(seat.stream) { [limits] in $0.wait(seat.number, after: cursor, standing, limits: limits) }
    if case .open(isPolling: false) = state {
      state = .open(isPolling: true)
      actions.append(.startPolling)
    }
    return true
  }

  /// A reader that waited was cancelled.
  package mutating func stopWaiting(_ seat: FeedSeat) {
    change(seat.stream) { $0.stopWaiting(seat.number) }
  }

  /// The ledger reports a change.
  package mutating func heard(_ news: LedgerChange) {
    switch news {
    case .appended(let stream, let last): change(stream) { $0.reported(last: last) }
    case .trimmed(let stream, let floor): change(stream) { $0.trimmed(floor: floor) }
    case .deleted(let stream): wake(stream) { $0.reset() }
    case .signalled: break
    case .missed: actions.append(.pollNow)
    }
  }

  /// A fetch brought these events, or none.
  package mutating func fetched(_ page: [LedgerEvent], by fetch: FeedFetch) {
    guard let tail = tails[fetch.stream], tail.number == fetch.tail else { return }
    let room = max(0, limits.tailBytes - (bytes - tail.ring.bytes))
    var rest: Duration?
    wake(fetch.stream) { [limits, strain] tail in
      let woken = tail.fetched(page, after: fetch.cursor, limits: limits, room: room)
      if let time = limits.rest(afterWaking: woken.count, strain), tail.rest() { rest = time }
      return woken
    }
    if let rest { actions.append(.rest(FeedRest(stream: fetch.stream, tail: fetch.tail, time: rest))) }
  }

  /// A rest is over: what came meanwhile is fetched in one go.
  ///
  /// - Parameter time: since it began.
  package mutating func rested(_ rest: FeedRest, in time: Duration) {
    strain.rested(rest.time, in: time)
    guard tails[rest.stream]?.number == rest.tail else { return }
    change(rest.stream) { $0.endRest() }
  }

  /// A fetch failed, with a ledger's error or another.
  package mutating func failed(_ fetch: FeedFetch, _ code: LedgerError.Code?) {
    guard tails[fetch.stream]?.number == fetch.tail else { return }
    switch code {
    case .database, .unavailable, .exhausted, nil:
      wake(fetch.stream) { [limits] in $0.fetchFailed(limit: limits.failures) }
    case .fenced, .leased, .unknownStream, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid:
      wake(fetch.stream) { $0.fetchRefused() }
    }
  }

  /// The question about what is waited for; nil where nobody waits.
  package var poll: FeedPoll? {
    let watches = tails.compactMapValues { tail in
      tail.isAwaited ? tail.end.map { FeedPoll.Watch(tail: tail.number, end: $0) } : nil
    }
    return watches.isEmpty ? nil : FeedPoll(watches: watches)
  }

  /// The question that is due after an interval; nil where nobody waits any more, which ends the polling.
  package mutating func continuePolling() -> FeedPoll? {
    if let poll { return poll }
    if case .open = state { state = .open(isPolling: false) }
    return nil
  }

  /// A poll found these extents; streams that are missing do not exist any more.
  package mutating func polled(_ extents: [String: LedgerExtent], by poll: FeedPoll) {
    for (stream, watch) in poll.watches where tails[stream]?.number == watch.tail {
      wake(stream) { $0.polled(extents[stream], end: watch.end) }
    }
  }

  /// A poll failed.
  package mutating func failed(_ poll: FeedPoll) {
    for (stream, watch) in poll.watches where tails[stream]?.number == watch.tail {
      wake(stream) { [limits] in $0.failed(limit: limits.failures) }
    }
  }

  /// Has all readers end once they have what is there, those to come too.
  package mutating func close() {
    state = .closed
    for stream in tails.keys.sorted() { wake(stream) { $0.reset() } }
  }

  /// Has the readers end that there are now, without what is there and they have not read: it is not what they followed.
  package mutating func dismiss() {
    dismissed = count
    for stream in tails.keys.sorted() { wake(stream) { $0.reset() } }
  }

  private mutating func wake(_ stream: String, _ body: (inout StreamTail) -> [Int]) {
    var woken: [Int] = []
    change(stream) { woken = body(&$0) }
    if !woken.isEmpty { actions.append(.wake(woken)) }
  }

  /// Changes a tail in its place, keeps the sum of bytes, and starts the fetch that the change made due.
  private mutating func change(_ stream: String, _ body: (inout StreamTail) -> Void) {
    guard let before = tails[stream]?.ring.bytes else { return }
    body(&tails[stream, default: StreamTail(number: 0)])
    guard let tail = tails[stream] else { return }
    bytes += tail.ring.bytes - before
    if let cursor = tails[stream]?.startFetch() {
      actions.append(.fetch(FeedFetch(stream: stream, tail: tail.number, cursor: cursor)))
    }
  }
}
