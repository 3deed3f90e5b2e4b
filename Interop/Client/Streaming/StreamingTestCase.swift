/// The event-stream cases that this endpoint knows as a client, and what it does in each beside following the streams.
///
/// Everything that the network or the server does in a case is the runner's business; most cases ask nothing of the client.
enum StreamingTestCase: String, CaseIterable, Sendable {
  case steady = "sse-steady"
  case burst = "sse-burst"
  case eightStreamsLoss = "sse-8streams-loss"
  case blackholeResume = "sse-blackhole-resume"
  case rebind = "sse-rebind"
  case rebindAddress = "sse-rebind-addr"
  case migrate = "sse-migrate"
  case goaway = "sse-goaway"
  case zeroRTTReconnect = "sse-0rtt-reconnect"
  case udpBlockedFallback = "sse-udp-blocked-fallback"
  case udpDiesMidstream = "sse-udp-dies-midstream"
  case idleThinking = "sse-idle-thinking"
  case resetMidstream = "sse-reset-midstream"
  case slowReader = "sse-slow-reader"
  case serverRestart = "sse-server-restart"

  /// Bytes a second that the reader takes, and for how long from its first event on; then it takes what comes.
  struct SlowStart: Hashable, Sendable {
    var bytesPerSecond: Int
    var lasts: Duration
  }

  var slowStart: SlowStart? {
    self == .slowReader ? SlowStart(bytesPerSecond: 20_000, lasts: .seconds(6)) : nil
  }

  /// The event of the first stream, counted from 1, after which all connections are closed, as an app does that goes to
  /// the background; the streams come back with their cursors and the session's ticket.
  var closesAfterEvents: Int? {
    self == .zeroRTTReconnect ? 100 : nil
  }
}
