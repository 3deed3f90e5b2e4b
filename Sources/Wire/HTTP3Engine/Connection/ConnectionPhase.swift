/// The states of a connection from its first packet to its end (RFC 9000 § 10).
enum ConnectionPhase {
  case active
  /// CONNECTION_CLOSE was sent; its bytes answer stray packets (RFC 9000 § 10.2.1).
  case closing(ClosingPeriod)
  /// The peer closed; nothing is sent any more (RFC 9000 § 10.2.2).
  case draining(until: Timestamp)
  /// Nothing more happens. A Retry is due where a server's library asked for one and forgot the connection.
  case over(isRetryDue: Bool = false)

  /// The time at which the next state begins by itself.
  var deadline: Timestamp? {
    switch self {
    case .active, .over: nil
    case .closing(let period): period.end
    case .draining(let end): end
    }
  }
  /// Whether nothing of the owner's can be sent any more.
  var isClosed: Bool {
    switch self {
    case .active: false
    case .closing, .draining, .over: true
    }
  }

  /// Notes a packet that came while closing.
  mutating func didReceive() {
    guard case .closing(var period) = self else { return }
    period.didReceive()
    self = .closing(period)
  }

  /// Takes the CONNECTION_CLOSE packet that is due.
  mutating func takePacket() -> (bytes: [UInt8], path: NetworkPath)? {
    guard case .closing(var period) = self, let packet = period.takePacket() else { return nil }
    self = .closing(period)
    return (packet, period.path)
  }

  /// The step of a trace that begins with it; nil for a connection that lives.
  var step: QlogTrace.StateName? {
    switch self {
    case .active: nil
    case .closing: .closing
    case .draining: .draining
    case .over: .closed
    }
  }
}
