import EventStream

/// Messages on their way: one at a time, in order, each tried again under its own id.
struct RemoteOutbox: Equatable, Sendable {
  private struct Wait: Equatable {
    var attempt: Int
    var due: Duration
    var backoff: Backoff
  }

  private(set) var messages: [RemoteOutgoing] = []
  private let limits: RemoteChatLimits
  /// The message whose request runs.
  private var posting: String?
  private var waits: [String: Wait] = [:]
  private var arrived = RecentNames(limit: 256)
  private var endedTurns = RecentNames(limit: 64)

  init(limits: RemoteChatLimits) { self.limits = limits }

  /// The time at which a message is tried again; nil where none waits.
  var nextDeadline: Duration? { posting == nil ? head.flatMap { waits[$0.id]?.due } : nil }

  /// Takes a message; false where there is no room.
  mutating func add(_ text: String, id: String) -> Bool {
    messages.removeAll { if case .failed = $0.delivery { true } else { false } }
    guard messages.count < limits.outgoing else { return false }
    messages.append(RemoteOutgoing(id: id, text: text, delivery: .sending))
    return true
  }

  /// The message to send now, if one is due.
  mutating func next(at now: Duration) -> RemoteOutgoing? {
    guard posting == nil, let head, waits[head.id].map({ $0.due <= now }) ?? true else { return nil }
    posting = head.id
    return head
  }

  /// The way is free again: what waits is due.
  mutating func retryNow(at now: Duration) { for id in waits.keys { waits[id]?.due = now } }

  /// The companion took a message. Returns the updates.
  mutating func taken(_ id: String, turnID: String?) -> RemoteOutgoing? {
    settle(id)
    guard let index = messages.firstIndex(where: { $0.id == id }) else { return nil }
    messages[index].delivery = .delivered(turnID: turnID)
    let told = messages[index]
    // Its events may have come before the answer.
    if arrived.contains(id) || turnID.map(endedTurns.contains) ?? false { messages.remove(at: index) }
    return told
  }

  /// A request failed. Returns the updates.
  mutating func failed(
    _ id: String, _ error: RemoteError, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> RemoteOutgoing? {
    if posting == id { posting = nil }
    // Its answer was lost, and it has arrived.
    if arrived.contains(id) { return taken(id, turnID: nil) }
    guard let index = messages.firstIndex(where: { $0.id == id }) else { return nil }
    var wait = waits[id] ?? Wait(attempt: 0, due: now, backoff: Backoff())
    wait.attempt += 1
    if error.isTransient, wait.attempt < limits.attempts {
      wait.due = now + wait.backoff.delay(after: .refused(retryAfter: error.retryAfter), using: &generator)
      waits[id] = wait
      messages[index].delivery = .retrying(attempt: wait.attempt, reason: error.message)
    } else {
      waits[id] = nil
      messages[index].delivery = .failed(error.code, reason: error.message)
    }
    return messages[index]
  }

  /// A message came back as an item of the chat: it has arrived, whatever became of its answer.
  mutating func seen(_ id: String) {
    arrived.insert(id)
    guard messages.contains(where: { $0.id == id }), posting != id else { return }
    settle(id)
    messages.removeAll { $0.id == id }
  }

  /// A turn ended: what was delivered to it is no longer on its way.
  mutating func turnEnded(_ turnID: String) {
    endedTurns.insert(turnID)
    messages.removeAll {
      switch $0.delivery {
      case .delivered(let own): own == nil || own == turnID
      case .sending, .retrying, .failed: false
      }
    }
  }

  private mutating func settle(_ id: String) {
    if posting == id { posting = nil }
    waits[id] = nil
  }

  /// The first that is not there yet; those behind it wait.
  private var head: RemoteOutgoing? {
    messages.first {
      switch $0.delivery {
      case .sending, .retrying: true
      case .delivered, .failed: false
      }
    }
  }
}
