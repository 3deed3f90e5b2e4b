import NIOCore

/// The answer that a WebSocket's client owes, and its deadline.
struct WebSocketLiveness {
  enum Due: Equatable {
    /// The client was silent: ask it.
    case ping
    /// It did not answer the ping.
    case pong
    /// A message that it began is not whole.
    case message
    /// It does not take what was written.
    case write
  }

  private enum Hearing {
    case heard(at: NIODeadline)
    case asked(at: NIODeadline)
    /// The handler leaves messages unread, and what follows them is not read either.
    case notListening
  }

  private let limits: WebSocketLimits
  private var hearing: Hearing
  private var unfinishedSince: NIODeadline?
  private var writingSince: NIODeadline?

  init(_ limits: WebSocketLimits, now: NIODeadline) {
    self.limits = limits
    hearing = .heard(at: now)
  }

  /// Something came; with it, or before it, a message began that is not whole yet, or none did.
  mutating func heard(isMessageUnfinished: Bool, at now: NIODeadline) {
    if case .notListening = hearing {} else { hearing = .heard(at: now) }
    unfinishedSince = isMessageUnfinished ? unfinishedSince ?? now : nil
  }

  mutating func asked(at now: NIODeadline) {
    hearing = .asked(at: now)
  }

  mutating func listening(_ isListening: Bool, at now: NIODeadline) {
    switch (hearing, isListening) {
    case (.notListening, true):
      hearing = .heard(at: now)
      if unfinishedSince != nil { unfinishedSince = now }
    case (.heard, false), (.asked, false): hearing = .notListening
    case (.heard, true), (.asked, true), (.notListening, false): break
    }
  }

  /// The client took something, or what was written is the first that waits.
  mutating func writing(_ isWaiting: Bool, at now: NIODeadline) {
    writingSince = isWaiting ? now : nil
  }

  /// The time at which to ask ``due(at:)``.
  var deadline: NIODeadline? { next?.at }

  /// The action that is due, if any.
  func due(at now: NIODeadline) -> Due? {
    guard let next, next.at <= now else { return nil }
    return next.due
  }

  private var next: (at: NIODeadline, due: Due)? {
    var all: [(at: NIODeadline, due: Due)] = []
    switch hearing {
    case .heard(let time): all.append((time + Self.amount(limits.pingInterval), .ping))
    case .asked(let time): all.append((time + Self.amount(limits.pongTimeout), .pong))
    case .notListening: break
    }
    if let unfinishedSince, !all.isEmpty {
      all.append((unfinishedSince + Self.amount(limits.messageTimeout), .message))
    }
    if let writingSince { all.append((writingSince + Self.amount(limits.writeTimeout), .write)) }
    return all.min { $0.at < $1.at }
  }

  /// Without an overflow in sums with it.
  static func amount(_ duration: Duration) -> TimeAmount {
    TimeAmount(min(max(duration, .zero), .seconds(1 << 30)))
  }
}
