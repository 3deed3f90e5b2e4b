import ArgumentParser

/// The arms of our own client process.
enum ClientArm: String, CaseIterable, Sendable, ExpressibleByArgument {
  /// HTTP/3 by `HTTP3Transport`.
  case h3
  /// HTTP/2 by AsyncHTTPClient.
  case h2
  /// HTTP/1.1 by `HTTP1Transport`, a connection for each stream.
  case h1
  /// HTTP/3 raced against HTTP/1.1 by `RacingTransport`.
  case auto

  /// What an experiment may want and this arm cannot do, for the report.
  static func unsupported(for arm: ClientArm) -> [String] {
    switch arm {
    case .h3, .auto:
      [
        "resumed TLS sessions: not measured, each run begins without a ticket", "0-RTT: not measured",
        "connection migration by the client: not supported (a NAT's new port is the server's matter)",
      ]
    case .h2, .h1: ["resumed TLS sessions: not measured", "0-RTT: not supported", "migration: TCP has none"]
    }
  }

  /// What a reader has to know to judge this arm's numbers.
  static func notes(for arm: ClientArm) -> [String] {
    switch arm {
    case .h3: ["PING after 1 s of silence, a new connection beside one that does not answer it"]
    case .h2:
      [
        "AsyncHTTPClient's first request waits for the server's SETTINGS: its connect time and its cold first event have "
          + "a round trip more than HTTP/2 needs (compare curl-h2)"
      ]
    case .h1: ["one connection a stream", "a tool's result is sent on a connection of its own"]
    case .auto: ["HTTP/3 first, HTTP/1.1 after a head start of 250 ms"]
    }
  }
}
