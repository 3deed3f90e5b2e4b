import EventLedger

/// One place of a pool: a connection that is made when it is needed, and made again, with longer and longer pauses,
/// where it was lost. Used by one thread at a time.
final class PostgresSession {
  /// What a session has of the server.
  enum Link: Equatable {
    case connected
    /// Nothing; the next use makes a connection.
    case none
    /// The server could not be reached; uses fail until then.
    case pausing(until: ContinuousClock.Instant)
  }

  private enum State {
    case none
    case connected(PostgresConnection)
    /// The server could not be reached; not tried again before the time.
    case pausing(attempts: Int, until: ContinuousClock.Instant, LedgerError)
    case closed
  }

  private let url: String
  private let limits: PostgresLimits
  private var state = State.none

  init(_ url: String, limits: PostgresLimits) {
    self.url = url
    self.limits = limits
  }

  var link: Link {
    switch state {
    case .connected: .connected
    case .none, .closed: .none
    case .pausing(_, let time, _): .pausing(until: time)
    }
  }

  /// Calls `body` with a connection. Throws ``LedgerError``.
  func use<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    let connection = try connection()
    defer { if connection.isBroken { state = .none } }
    do { return try body(connection) } catch let error as LedgerError {
      if (error.cause as? PostgresRefusal)?.isLockTimeout == true, !connection.isBroken {
        try? connection.execute(endOfStopped)
      }
      throw error
    }
  }

  /// Ends the ledger's sessions whose process has left them in a transaction: it was stopped, or its machine is gone.
  ///
  /// A stopped process that has sent a part of a pipeline holds what its statements locked for as long as it is stopped:
  /// none of the server's time-outs counts that time (PostgreSQL 15; `transaction_timeout` came with 17). Only asked for
  /// by a caller that has waited for a lock in vain.
  private var endOfStopped: String {
    """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND application_name = current_setting('application_name') AND wait_event = 'ClientRead'
      AND xact_start < clock_timestamp() - interval '\(Int64(limits.lockTimeout / .milliseconds(1))) milliseconds'
    """
  }

  /// Ends the connection, and any use.
  func close() { state = .closed }

  /// Makes the connection where there is none. Throws ``LedgerError``.
  func connect() throws { _ = try connection() }

  private func connection() throws -> PostgresConnection {
    var attempts = 0
    switch state {
    case .connected(let connection): return connection
    case .closed: throw LedgerError(.database, "The ledger is closed.")
    case .none: break
    case .pausing(let before, let time, let error):
      guard ContinuousClock.now >= time else { throw error }
      attempts = before
    }
    do {
      let connection = try PostgresConnection.open(url, limits: limits)
      state = .connected(connection)
      return connection
    } catch let error as LedgerError {
      let pause = min(limits.pause * (1 << min(attempts, 20)), limits.longestPause)
      state = .pausing(attempts: attempts + 1, until: ContinuousClock.now + pause, error)
      throw error
    }
  }
}
