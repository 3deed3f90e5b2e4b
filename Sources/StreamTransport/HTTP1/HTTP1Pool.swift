/// Which connections there are and which of them wait for a request; keeps no clock and closes nothing itself.
struct HTTP1Pool<Connection: Identifiable> where Connection.ID: Sendable {
  private var idle: [Connection] = []
  private var open: [Connection.ID: Connection] = [:]
  private let maximumIdle: Int
  /// The connection that was taken or added last.
  private(set) var latest: Connection?

  init(maximumIdle: Int) {
    self.maximumIdle = max(maximumIdle, 0)
  }

  /// A connection that is open, the last used one first.
  var any: Connection? { latest ?? idle.last ?? open.values.first }

  /// Adds a new connection, which is in use until it is parked.
  mutating func add(_ connection: Connection) {
    open[connection.id] = connection
    latest = connection
  }

  /// The connection that was parked last: the least likely to have been closed by the server.
  mutating func takeIdle() -> Connection? {
    guard let connection = idle.popLast() else { return nil }
    latest = connection
    return connection
  }

  /// Keeps a connection for the next request; answers what must be closed for it, itself where it is not known here.
  mutating func park(_ connection: Connection) -> Connection? {
    guard open[connection.id] != nil else { return connection }
    guard !idle.contains(where: { $0.id == connection.id }) else { return nil }
    idle.append(connection)
    guard idle.count > maximumIdle else { return nil }
    let oldest = idle.removeFirst()
    forget(oldest.id)
    return oldest
  }

  /// Forgets a connection that is closed.
  mutating func forget(_ id: Connection.ID) {
    open[id] = nil
    idle.removeAll { $0.id == id }
    if latest?.id == id { latest = nil }
  }

  /// Forgets all and answers what is to be closed.
  mutating func removeAll() -> [Connection] {
    let all = Array(open.values)
    self = HTTP1Pool(maximumIdle: maximumIdle)
    return all
  }
}
