import ArgumentParser

/// The arms of our own client process.
enum ClientArm: String, CaseIterable, Sendable, ExpressibleByArgument {
  /// HTTP/3 by `HTTP3Transport`.
  case h3
  /// The same with QUIC's defaults for the first guess of the round trip and for the delay of acknowledgements.
  case h3Stock = "h3-stock"
  /// The same as `h3-stock`, but for the first guess.
  case h3RTT = "h3-rtt-100"
  /// The same as `h3` with the session of a connection that was made before the run; requests wait for the handshake.
  case h3Resumed = "h3-resumed"
  /// The same, and the first request goes out beside the handshake.
  case h3ZeroRTT = "h3-0rtt"
  /// The same as `h3`, with what is not acknowledged repeated beside new events.
  case h3Repeat = "h3-repeat"
  /// The same, and in packets of its own after 5 ms.
  case h3Hedge = "h3-hedge"
  /// HTTP/2 by AsyncHTTPClient.
  case h2
  /// The same, with PINGs on a silent connection, and a new one in place of one that does not answer.
  case h2Ping = "h2-ping"
  /// HTTP/1.1 by `HTTP1Transport`, a connection for each stream.
  case h1
  /// HTTP/3 raced against HTTP/1.1 by `RacingTransport`.
  case auto

  /// Whether AsyncHTTPClient is the client.
  var isHTTP2: Bool { self == .h2 || self == .h2Ping }

  private static let liveness = "PING after 1 s of silence, a new connection beside one that does not answer it"

  /// Features that an experiment may request and this arm lacks, for the report.
  static func unsupported(for arm: ClientArm) -> [String] {
    switch arm {
    case .h3, .h3Stock, .h3RTT, .h3Repeat, .h3Hedge, .auto:
      [
        "resumed TLS sessions: not measured, each run begins without a ticket (see h3-resumed)",
        "0-RTT: not measured (see h3-0rtt)",
        migration,
      ]
    case .h3Resumed: ["0-RTT: not measured (see h3-0rtt)", migration]
    case .h3ZeroRTT: ["resumed TLS sessions: measured with early data alone", migration]
    case .h2, .h2Ping, .h1: ["resumed TLS sessions: not measured", "0-RTT: not supported", "migration: TCP has none"]
    }
  }

  private static let firstRequest =
    "AsyncHTTPClient's first request waits for the server's SETTINGS: its connect time and its cold first event have "
    + "a round trip more than HTTP/2 needs (compare curl-h2)"
  private static let migration =
    "connection migration by the client: not measured (a NAT's new port is the server's matter)"

  /// Notes that a reader needs to judge this arm's numbers.
  static func notes(for arm: ClientArm) -> [String] {
    switch arm {
    case .h3, .h3Stock, .h3RTT, .h3Repeat: [liveness]
    case .h3Hedge: [liveness, "hedges after 5 ms"]
    case .h3Resumed, .h3ZeroRTT:
      [liveness, "a connection made before the run gives the ticket; its packets are the first that the link sees"]
    case .h2: [firstRequest]
    case .h2Ping:
      [firstRequest, "PING after 1 s of silence, and a new connection at once where nothing comes for 1 s more"]
    case .h1: ["one connection a stream", "a tool's result is sent on a connection of its own"]
    case .auto: ["HTTP/3 first, HTTP/1.1 after a head start of 250 ms"]
    }
  }
}
