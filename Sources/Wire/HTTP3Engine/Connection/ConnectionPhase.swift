/// The states of a connection from its first packet to its end (RFC 9000 § 10).
enum ConnectionPhase {
  case active
  /// CONNECTION_CLOSE was sent; its bytes answer stray packets (RFC 9000 § 10.2.1).
  case closing(ClosingPeriod)
  /// The peer closed; nothing is sent any more (RFC 9000 § 10.2.2).
  case draining(until: Timestamp)
  /// Nothing more happens. A Retry is due where a server's library asked for one and forgot the connection.
  case over(isRetryDue: Bool = false)

  /// When the next state begins by itself.
  var deadline: Timestamp? {
    switch self {
    case .active, .over: nil
    case .closing(let period): period.end
    case .draining(let end): end
    }
  }
}
