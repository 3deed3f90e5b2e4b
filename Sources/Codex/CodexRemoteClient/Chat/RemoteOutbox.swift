import EventStream

/// Messages on their way: one at a time, in order, each tried again under its own id, and kept while an outage lasts.
struct RemoteOutbox: Equatable, Sendable {
  private struct Wait: Equatable {
    var attempt: Int
    /// Attempts that a companion answered with a failure.
    var failures = 0
    var due: Duration
    var backoff: Backoff
  }

  private(set) var messages: [RemoteOutgoing] = []
  private let limits: RemoteChatLimits
  /// The message whose request runs.
  private var posting: String?
  private var waits: [String: Wait] = [:]
  /// The message whose request runs, where it is not to be sent again.
  private var withdrawn: String?
  private var arrived = RecentNames(limit: 256)
  /// Turns that ended, and those among them that were reported from their beginning: what did not come by then never
  /// does.
  private var endedTurns = RecentNames(limit: 64)
  private var wholeTurns = RecentNames(limit: 64)

  init(limits: RemoteChatLimits) { self.limits = limits }

  /// The time at which a message is tried again; nil where none waits.
  var nextDeadline: Duration? { posting == nil ? head.flatMap { waits[$0.id]?.due } : nil }

  /// Takes a message; false where there is no room.
  mutating func add(_ text: String, id: String) -> Bool {
    messages.removeAll {
      switch $0.delivery {
      case .failed, .withdrawn: true
      case .sending, .retrying, .delivered, .dropped: false
      }
    }
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
    // Its events may have come before the answer.
    if arrived.contains(id) { return messages.remove(at: index) }
    if let turnID, wholeTurns.contains(turnID) { messages[index].delivery = .dropped(turnID: turnID) }
    let reported = messages[index]
    if turnID.map(endedTurns.contains) ?? false { messages.remove(at: index) }
    return reported
  }

  /// A message is not to be sent any more. Nil where it is not there, or its request runs, whose outcome is reported.
  mutating func withdraw(_ id: String) -> RemoteOutgoing? {
    guard let index = messages.firstIndex(where: { $0.id == id }), messages[index].isPending else { return nil }
    guard posting != id else {
      withdrawn = id
      return nil
    }
    messages[index].delivery = .withdrawn(mayHaveArrived: waits[id] != nil)
    settle(id)
    return messages.remove(at: index)
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
    if !error.isOutage { wait.failures += 1 }
    if withdrawn == id {
      messages[index].delivery = .withdrawn(mayHaveArrived: true)
      settle(id)
      return messages.remove(at: index)
    }
    if error.isTransient, wait.failures < limits.attempts {
      wait.due = now + wait.backoff.delay(after: .refused(retryAfter: error.retryAfter), using: &generator)
      waits[id] = wait
      messages[index].delivery = .retrying(attempt: wait.attempt, reason: error.message)
    } else {
      waits[id] = nil
      messages[index].delivery = .failed(error.code, reason: error.message)
    }
    return messages[index]
  }

  /// A message came back as an item of the chat: it has arrived, whatever happened to its answer.
  mutating func seen(_ id: String) {
    arrived.insert(id)
    guard messages.contains(where: { $0.id == id }), posting != id else { return }
    settle(id)
    messages.removeAll { $0.id == id }
  }

  /// A turn ended: what was delivered to it is no longer on its way.
  ///
  /// - Parameter isWhole: whether its events were reported from its beginning.
  /// - Returns: the messages that did not get into it.
  mutating func turnEnded(_ turnID: String, isWhole: Bool) -> [RemoteOutgoing] {
    endedTurns.insert(turnID)
    if isWhole { wholeTurns.insert(turnID) }
    var dropped: [RemoteOutgoing] = []
    messages.removeAll { message in
      guard case .delivered(let own) = message.delivery, own == nil || own == turnID else { return false }
      if isWhole, own == turnID {
        var message = message
        message.delivery = .dropped(turnID: turnID)
        dropped.append(message)
      }
      return true
    }
    return dropped
  }

  private mutating func settle(_ id: String) {
    if posting == id { posting = nil }
    if withdrawn == id { withdrawn = nil }
    waits[id] = nil
  }

  /// The first that is not there yet; those behind it wait.
  private var head: RemoteOutgoing? { messages.first(where: \.isPending) }
}
