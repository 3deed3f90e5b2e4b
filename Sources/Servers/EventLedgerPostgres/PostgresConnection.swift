import CPostgres
import EventLedger
import Glibc

/// One connection to a server, used by one thread at a time. Its socket does not block: a server that answers nothing
/// holds its thread until the deadline and no longer.
final class PostgresConnection {
  private let handle: OpaquePointer
  private let limits: PostgresLimits
  /// Whether the connection is of no more use.
  private(set) var isBroken = false

  /// Connects to the first of the address's hosts, at the first of its own addresses, that is reached and takes writes.
  /// Throws the last one's ``LedgerError`` where there is none.
  ///
  /// - Parameter lookUp: the numeric addresses of a name.
  static func open(
    _ url: String, limits: PostgresLimits, lookUp: (String) -> [String] = PostgresHost.addresses(ofName:)
  ) throws -> PostgresConnection {
    let end = ContinuousClock.now + limits.connectingTimeout
    let hosts = PostgresHost.all(in: url).flatMap { $0.atEachAddress(lookUp) }
    for host in hosts.dropLast() where ContinuousClock.now < end {
      let connection = try? PostgresConnection(
        PostgresParameters(url: url, host: host, limits: limits), limits, before: end)
      if let connection { return connection }
    }
    return try PostgresConnection(
      PostgresParameters(url: url, host: hosts.last, limits: limits), limits,
      before: ContinuousClock.now + limits.connectTimeout)
  }

  /// Throws ``LedgerError`` where there is no server within the time, or it refuses.
  ///
  private init(_ parameters: PostgresParameters, _ limits: PostgresLimits, before end: ContinuousClock.Instant) throws {
    self.limits = limits
    guard let handle = parameters.withCStrings({ PQconnectStartParams($0, $1, 1) }) else {
      throw LedgerError(.unavailable(mayHaveHappened: false), "There is no memory for a connection to PostgreSQL.")
    }
    self.handle = handle
    // All is initialized here: where this throws, deinit frees the handle.
    try connect(until: min(ContinuousClock.now + limits.connectTimeout, end))
  }

  deinit { PQfinish(handle) }

  private func connect(until deadline: ContinuousClock.Instant) throws {
    guard PQstatus(handle) != CONNECTION_BAD else { throw refusal() }
    var phase = PGRES_POLLING_WRITING
    while phase != PGRES_POLLING_OK {
      guard phase != PGRES_POLLING_FAILED else { throw refusal() }
      let events = phase == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard wait(for: Int16(events), until: deadline) else { throw refusal("no answer in \(limits.connectTimeout)") }
      phase = PQconnectPoll(handle)
    }
    guard PQsetnonblocking(handle, 1) == 0 else { throw refusal() }
  }

  private func refusal(_ reason: String? = nil) -> LedgerError {
    isBroken = true
    let reason = reason ?? message
    let isTrust = reason.contains("certificate") || reason.contains("SSL")
    let remedy =
      isTrust
      ? "Its certificate must be for the host in the address, by an authority that the system or sslrootcert=FILE in the "
        + "address names."
      : "Does it run, and is the address right?"
    return LedgerError(.unavailable(mayHaveHappened: false), "PostgreSQL cannot be reached: \(reason). \(remedy)")
  }

  private var message: String {
    String(cString: PQerrorMessage(handle)).split(separator: "\n").joined(separator: "; ")
  }

  /// Runs statements in one transaction and one round trip, and returns the rows of each.
  ///
  /// Statements of a pipeline up to its end are one transaction, if none is open (libpq § 34.5.1.3).
  ///
  /// - Parameter notice: a statement in a transaction of its own behind them, in the same round trip, whatever the
  ///   outcome of them. Its failure is passed over.
  func run(_ statements: [PostgresStatement], notice: PostgresStatement? = nil) throws -> [[PostgresRow]] {
    guard PQenterPipelineMode(handle) == 1 else { throw lost() }
    for statements in [statements] + [[notice].compactMap(\.self)] where !statements.isEmpty {
      for statement in statements { try send(statement) }
      guard PQpipelineSync(handle) == 1 else { throw lost() }
    }
    let answer = Result { try receive(isPipeline: true, within: limits.statementTimeout) }
    if notice != nil, !isBroken { _ = try? receive(isPipeline: true, within: limits.statementTimeout) }
    if !isBroken, PQexitPipelineMode(handle) != 1 { isBroken = true }
    return try answer.get()
  }

  /// Runs SQL without parameters, several statements too.
  ///
  /// - Parameter patience: the wait for the answer; nil for the limits' one.
  func execute(_ sql: String, patience: Duration? = nil) throws {
    guard PQsendQuery(handle, sql) == 1 else { throw lost() }
    _ = try receive(isPipeline: false, within: patience ?? limits.statementTimeout)
  }

  /// Waits for notifications for at most a time, and returns their payloads.
  func notifications(within time: Duration) throws -> [String] {
    _ = wait(for: Int16(POLLIN), until: ContinuousClock.now + time)
    guard PQconsumeInput(handle) == 1 else { throw lost() }
    var payloads: [String] = []
    while let notification = PQnotifies(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  private func send(_ statement: PostgresStatement) throws {
    let values = statement.values
    // One buffer for all, with the place of each: pointers into separate arrays would not outlive their closures.
    var buffer: [UInt8] = []
    for case let bytes? in values.map(\.bytes) { buffer += bytes }
    // An empty one has no address, and NULL is what libpq takes for a missing address.
    buffer.append(0)
    let isSent = buffer.withUnsafeBytes { bytes in
      var start = 0
      let pointers = values.map { value -> UnsafePointer<CChar>? in
        guard let count = value.bytes?.count, let base = bytes.baseAddress else { return nil }
        defer { start += count }
        return UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
      }
      return PQsendQueryParams(
        handle, statement.sql, Int32(clamping: values.count), values.map(\.type), pointers,
        values.map { Int32(clamping: $0.bytes?.count ?? 0) }, values.map { _ in 1 }, 1) == 1
    }
    guard isSent else { throw lost() }
  }

  private func receive(isPipeline: Bool, within patience: Duration) throws -> [[PostgresRow]] {
    let deadline = ContinuousClock.now + patience
    var answers: [[PostgresRow]] = []
    var failure: LedgerError?
    while true {
      try awaitResult(until: deadline, patience)
      guard let result = PQgetResult(handle) else {
        guard PQstatus(handle) != CONNECTION_BAD else { throw failure ?? lost() }
        // The end of one statement of a pipeline, or of all without one.
        if isPipeline { continue }
        break
      }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: answers.append(rows(of: result))
      case PGRES_PIPELINE_SYNC:
        if let failure { throw failure }
        return answers
      case PGRES_PIPELINE_ABORTED: break
      default: failure = failure ?? error(of: result)
      }
    }
    if let failure { throw failure }
    return answers
  }

  private func awaitResult(until deadline: ContinuousClock.Instant, _ patience: Duration) throws {
    while true {
      let unsent = PQflush(handle)
      guard unsent >= 0 else { throw lost() }
      if unsent == 0, PQisBusy(handle) == 0 { return }
      guard wait(for: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN), until: deadline) else {
        throw lost("no answer in \(patience)")
      }
      guard PQconsumeInput(handle) == 1 else { throw lost() }
    }
  }

  /// Waits for the socket; false where the deadline has passed.
  private func wait(for events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return false }
      var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
      let (seconds, attoseconds) = left.components
      let milliseconds = min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
      let count = poll(&descriptor, 1, Int32(clamping: milliseconds))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return true }  // libpq meets the same error, and tells it.
    }
  }

  private func lost(_ reason: String? = nil) -> LedgerError {
    isBroken = true
    return LedgerError(
      .unavailable(mayHaveHappened: true), "The connection to PostgreSQL is lost: \(reason ?? message).")
  }

  private func rows(of result: OpaquePointer) -> [PostgresRow] {
    let types = (0..<PQnfields(result)).map { PQftype(result, $0) }
    return (0..<PQntuples(result)).map { row in
      PostgresRow(
        types: types,
        columns: (0..<PQnfields(result)).map { column in
          guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
          return Array(UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
        })
    }
  }

  /// The server's refusal: whatever the transaction did is undone.
  private func error(of result: OpaquePointer) -> LedgerError {
    let state = PQresultErrorField(result, Int32(UnicodeScalar("C").value)).map { String(cString: $0) } ?? ""
    let text = PQresultErrorField(result, Int32(UnicodeScalar("M").value)).map { String(cString: $0) } ?? message
    if PQstatus(handle) == CONNECTION_BAD { return lost(text) }
    // Appendix A: shutting down, which may follow the commit.
    if state.hasPrefix("57P") { return lost(text) }
    let refusal = PostgresRefusal(state: state)
    // The next connection is made with the server that takes writes now.
    if refusal.isReadOnly { isBroken = true }
    return LedgerError(
      refusal.passes ? .unavailable(mayHaveHappened: false) : .database,
      "PostgreSQL refuses: \(text) (SQLSTATE \(state)).", cause: refusal)
  }
}
