/// Which connections there are and which of them wait for a request; has no clock of its own and closes nothing itself.
struct HTTP1Pool<Connection: Identifiable> where Connection.ID: Sendable {
  private var idle: [(connection: Connection, since: UInt64)] = []
  private var open: [Connection.ID: Connection] = [:]
  private let maximumIdle: Int
  /// The connection that was taken or added last.
  private(set) var latest: Connection?

  init(maximumIdle: Int) {
    self.maximumIdle = max(maximumIdle, 0)
  }

  /// A connection that is open, the last used one first.
  var any: Connection? { latest ?? idle.last?.connection ?? open.values.first }

  /// Adds a new connection, which is in use until it is parked.
  mutating func add(_ connection: Connection) {
    open[connection.id] = connection
    latest = connection
  }

  /// The connection that was parked last: the least likely to have been closed by the server.
  mutating func takeIdle() -> Connection? {
    guard let connection = idle.popLast()?.connection else { return nil }
    latest = connection
    return connection
  }

  /// Takes out the connections that have waited since before `time`.
  mutating func removeIdle(before time: UInt64) -> [Connection] {
    let stale = idle.filter { $0.since < time }.map(\.connection)
    for connection in stale { forget(connection.id) }
    return stale
  }

  /// Keeps a connection for the next request from `now` on; answers what must be closed for it, itself where it is not known here.
  mutating func park(_ connection: Connection, at now: UInt64) -> Connection? {
    guard open[connection.id] != nil else { return connection }
    guard !idle.contains(where: { $0.connection.id == connection.id }) else { return nil }
    idle.append((connection, now))
    guard idle.count > maximumIdle else { return nil }
    let oldest = idle.removeFirst().connection
    forget(oldest.id)
    return oldest
  }

  /// Forgets a connection that is closed.
  mutating func forget(_ id: Connection.ID) {
    open[id] = nil
    idle.removeAll { $0.connection.id == id }
    if latest?.id == id { latest = nil }
  }

  /// Forgets all and answers what is to be closed.
  mutating func removeAll() -> [Connection] {
    let all = Array(open.values)
    self = HTTP1Pool(maximumIdle: maximumIdle)
    return all
  }
}
