import HTTP3Engine

/// Notices requests and responses that stand still, by the time limits of ``HTTP3Limits``.
///
/// Takes what comes and the time. A stream's deadline is set once and looked into when it passes, not moved with each byte.
struct StallWatch {
  /// A part of an exchange that made no progress for too long.
  enum Stall: Equatable {
    case header, body, response
  }

  /// The state of a response at the moment of a look.
  struct Progress {
    /// Bytes of its body that the client has acknowledged.
    var taken = 0
    /// Something of it waits for the client.
    var isWaiting = false
    /// It is complete, so that its stream is to end once the request is.
    var isFinished = false
    /// The handler has bytes of the request's body to read, which keeps the client from sending.
    var isHandlerBehind = false
  }

  private enum Request {
    case header(since: Timestamp)
    case body(since: Timestamp)
    case complete
  }

  private enum Response {
    case idle
    case waiting(taken: Int, since: Timestamp)
  }

  private struct Entry {
    let owner: UInt64
    var request: Request
    var response = Response.idle
    /// The deadline that is set.
    var look: Timestamp?
  }

  private let limits: HTTP3Limits
  private var entries = StreamTable<Entry>()
  private var places: [UInt64: ExchangePlace] = [:]
  private var deadlines = DeadlineQueue()
  private var nextOwner: UInt64 = 0
  private var fresh: [ExchangePlace] = []

  init(_ limits: HTTP3Limits) {
    self.limits = limits
  }

  /// The time at which ``popDue(at:)`` has something.
  var earliest: Timestamp? { deadlines.earliest }

  // MARK: Facts

  mutating func requestBegan(_ place: ExchangePlace, at now: Timestamp) {
    guard entries[place] == nil else { return }
    entries[place] = Entry(owner: nextOwner, request: .header(since: now))
    places[nextOwner] = place
    nextOwner += 1
    fresh.append(place)
  }

  /// The header section, or bytes of the body.
  mutating func requestGoesOn(_ place: ExchangePlace, at now: Timestamp) {
    guard isHalfOpen(place) else { return }
    entries[place]?.request = .body(since: now)
  }

  /// All of it came, or no more is wanted.
  mutating func requestIsOver(_ place: ExchangePlace) {
    entries[place]?.request = .complete
  }

  /// Something of the response may wait for the client, which has acknowledged `taken` bytes of the body.
  mutating func responseWaits(_ place: ExchangePlace, taken: Int, at now: Timestamp) {
    guard let entry = entries[place], case .idle = entry.response else { return }
    entries[place]?.response = .waiting(taken: taken, since: now)
    arm(place, at: now)
  }

  mutating func streamClosed(_ place: ExchangePlace) {
    guard let entry = entries[place] else { return }
    forget(entry)
    entries[place] = nil
  }

  mutating func connectionClosed(_ key: ConnectionKey) {
    for entry in entries.removeAll(of: key).values { forget(entry) }
  }

  // MARK: Answers

  func isHalfOpen(_ place: ExchangePlace) -> Bool {
    switch entries[place]?.request {
    case .header, .body: true
    case .complete, nil: false
    }
  }

  /// Requests that began since the last call and are still half open, whose time runs from now on.
  mutating func takeHalfOpen(at now: Timestamp) -> [ExchangePlace] {
    guard !fresh.isEmpty else { return [] }
    let halfOpen = fresh.filter { isHalfOpen($0) }
    fresh.removeAll(keepingCapacity: fresh.count <= 64)
    for place in halfOpen { arm(place, at: now) }
    return halfOpen
  }

  /// A stream that is to be looked at with ``look(at:_:at:)``.
  mutating func popDue(at now: Timestamp) -> ExchangePlace? {
    guard let owner = deadlines.popDue(at: now), let place = places[owner] else { return nil }
    entries[place]?.look = nil
    return place
  }

  /// Returns the part that is stalled; reports it again after the same time if it still is.
  mutating func look(at place: ExchangePlace, _ progress: Progress, at now: Timestamp) -> Stall? {
    guard var entry = entries[place] else { return nil }
    var stall: Stall?
    switch entry.request {
    case .header(let since):
      if now >= since + limits.headerTimeout {
        stall = .header
        entry.request = .header(since: now)
      }
    case .body(let since):
      if progress.isHandlerBehind {
        entry.request = .body(since: now)
      } else if now >= since + limits.bodyTimeout {
        stall = .body
        entry.request = .body(since: now)
      }
    case .complete: break
    }
    if case .waiting(let taken, let since) = entry.response {
      let isRequestOver = if case .complete = entry.request { true } else { false }
      if !progress.isWaiting, !(progress.isFinished && isRequestOver) {
        // A finished response waits again once its request is over.
        entry.response = progress.isFinished ? .waiting(taken: taken, since: now) : .idle
      } else if progress.taken > taken {
        entry.response = .waiting(taken: progress.taken, since: now)
      } else if now >= since + limits.writeTimeout {
        stall = stall ?? .response
        entry.response = .waiting(taken: progress.taken, since: now)
      }
    }
    entries[place] = entry
    arm(place, at: now)
    return stall
  }

  // MARK: Parts

  private mutating func arm(_ place: ExchangePlace, at now: Timestamp) {
    guard let entry = entries[place] else { return }
    var due: Timestamp?
    switch entry.request {
    case .header(let since): due = since + limits.headerTimeout
    case .body(let since): due = since + limits.bodyTimeout
    case .complete: break
    }
    if case .waiting(_, let since) = entry.response {
      // Twice in the time allowed, as only a look tells what was acknowledged.
      let next = min(since + limits.writeTimeout, now + limits.writeTimeout / 2)
      due = min(due ?? next, next)
    }
    guard var due else { return }
    // A limit of no time must not keep the loop from everything else.
    due = max(due, now + .milliseconds(1))
    if let look = entry.look, look <= due { return }
    entries[place]?.look = due
    deadlines.set(due, for: entry.owner)
  }

  private mutating func forget(_ entry: Entry) {
    places[entry.owner] = nil
    deadlines.set(nil, for: entry.owner)
  }
}
