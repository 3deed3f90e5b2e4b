/// The most that a ``PostgresEventLedger`` holds, and how long it waits.
package struct PostgresLimits: Sendable {
  /// Connections for reading and writing; one more listens.
  package var connections: Int
  /// Statements that wait for a connection.
  package var waiting: Int
  /// For a connection to come free. A fifteenth of it more may pass.
  package var waitTimeout: Duration
  /// For a connection to one address of one host to be made; a URL may name several hosts, and a name have several
  /// addresses, which are tried in their order.
  package var connectTimeout: Duration
  /// For all of them together; the last is tried in any case.
  package var connectingTimeout: Duration
  /// For the server to answer. The server gives up a second earlier, so that it can say why.
  package var statementTimeout: Duration
  /// The pause after a connection that could not be made; it doubles with each, to ``longestPause``.
  package var pause: Duration
  package var longestPause: Duration

  package init(
    connections: Int = 4, waiting: Int = 10_000, waitTimeout: Duration = .seconds(15),
    connectTimeout: Duration = .seconds(5), connectingTimeout: Duration = .seconds(20),
    statementTimeout: Duration = .seconds(15),
    pause: Duration = .milliseconds(100), longestPause: Duration = .seconds(5)
  ) {
    self.connections = max(1, connections)
    self.waiting = waiting
    self.waitTimeout = waitTimeout
    self.connectTimeout = connectTimeout
    self.connectingTimeout = connectingTimeout
    self.statementTimeout = statementTimeout
    self.pause = pause
    self.longestPause = longestPause
  }

  /// The time after which the server gives a statement up.
  var serverPatience: Duration {
    statementTimeout > .seconds(2) ? statementTimeout - .seconds(1) : .seconds(1)
  }

  /// The time after which the server gives up to wait for what another transaction holds.
  var lockTimeout: Duration { serverPatience / 2 }
}
