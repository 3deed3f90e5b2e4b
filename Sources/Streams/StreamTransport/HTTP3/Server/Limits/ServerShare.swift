import HTTP3Engine

/// One server's part of a shared load: its connections, half-open requests and held bytes by the names that the others
/// know them by. On the server's loop only.
final class ServerShare: ConnectionAdmission {
  /// Less is not worth a look at the shared part.
  private static let quantum = 4 << 10

  private struct Connection {
    let ticket: LoadTicket
    let prefix: SourcePrefix
    /// The amount reported to the shared part.
    var reported = 0
  }

  private let load: HTTP3ServerLoad
  private let metrics: ServerMetrics
  /// The name of this server among those that share the load; nil until it listens.
  private var member: UInt32?
  private var connections: [ConnectionKey: Connection] = [:]
  /// Bytes held for connections, admitted or not yet.
  private var held: [ConnectionKey: Int] = [:]
  private var keys: [LoadTicket: ConnectionKey] = [:]
  private var requests = StreamTable<LoadTicket>()
  private var places: [LoadTicket: ExchangePlace] = [:]

  init(of load: HTTP3ServerLoad, metrics: ServerMetrics) {
    self.load = load
    self.metrics = metrics
  }

  /// Takes part from now on.
  ///
  /// - Parameter carryOut: called on any thread with what others need.
  func join(_ carryOut: @escaping @Sendable (HTTP3ServerLoad.Order) -> Void) { member = load.join(carryOut) }

  /// Gives everything back.
  func leave() {
    for key in Array(connections.keys) { connectionEnded(key) }
    if let member { load.leave(member) }
    member = nil
  }

  // MARK: Connections

  func takesUnproven(from address: NetworkAddress) -> Bool { load.hasRoom(for: SourcePrefix(address)) }

  func admit(_ key: ConnectionKey, from address: NetworkAddress) -> Bool {
    guard connections[key] == nil else { return true }
    guard let member else { return false }
    let prefix = SourcePrefix(address)
    switch load.connectionBegins(member, from: prefix) {
    case .success(let ticket):
      connections[key] = Connection(ticket: ticket, prefix: prefix)
      keys[ticket] = key
      metrics.connectionsCount(by: 1)
      tell(key)
      return true
    case .failure(let refused):
      metrics.refused(refused.reason)
      return false
    }
  }

  func withdraw(_ key: ConnectionKey) { connectionEnded(key) }

  func connectionEnded(_ key: ConnectionKey) {
    for stream in requests[key].keys { requestEnded(ExchangePlace(connection: key, stream: stream)) }
    held[key] = nil
    guard let connection = connections.removeValue(forKey: key) else { return }
    keys[connection.ticket] = nil
    load.connectionEnded(connection.ticket, from: connection.prefix)
    metrics.connectionsCount(by: -1)
    metrics.heldBytesCount(by: -connection.reported)
  }

  /// The connection of a ticket; nil when it has ended.
  func connection(of ticket: LoadTicket) -> ConnectionKey? { keys[ticket] }

  // MARK: Half-open requests

  /// The reason for which a request may not be half open; nil where it may.
  func requestBegins(_ place: ExchangePlace) -> LoadRefusal? {
    // The address of one with early data is not proven before its handshake is complete.
    guard let member, let connection = connections[place.connection] else { return nil }
    switch load.requestBegins(member, from: connection.prefix) {
    case .success(let ticket):
      requests[place] = ticket
      places[ticket] = place
      metrics.halfOpenRequestsCount(by: 1)
      return nil
    case .failure(let refused):
      metrics.refused(refused.reason)
      return refused.reason
    }
  }

  func requestEnded(_ place: ExchangePlace) {
    guard let ticket = requests[place] else { return }
    requests[place] = nil
    places[ticket] = nil
    metrics.halfOpenRequestsCount(by: -1)
    if let connection = connections[place.connection] { load.requestEnded(ticket, from: connection.prefix) }
  }

  /// The half-open request of a ticket; nil when it is none any more.
  func request(of ticket: LoadTicket) -> ExchangePlace? { places[ticket] }

  // MARK: Memory

  /// More bytes are held for a connection, or less.
  func holds(_ change: Int, for key: ConnectionKey) {
    guard change != 0 else { return }
    held[key, default: 0] += change
    guard let reported = connections[key]?.reported, abs(amount(of: key) - reported) >= Self.quantum else { return }
    tell(key)
  }

  /// The connection has given back what it could.
  func relieved(_ key: ConnectionKey) {
    guard let connection = connections[key] else { return }
    recordReported(key)
    load.connection(connection.ticket, from: connection.prefix, keeps: amount(of: key))
  }

  private func amount(of key: ConnectionKey) -> Int { HTTP3Limits.connectionCost + held[key, default: 0] }

  private func tell(_ key: ConnectionKey) {
    guard let connection = connections[key] else { return }
    recordReported(key)
    load.connection(connection.ticket, from: connection.prefix, holds: amount(of: key))
  }

  private func recordReported(_ key: ConnectionKey) {
    let amount = amount(of: key)
    metrics.heldBytesCount(by: amount - (connections[key]?.reported ?? 0))
    connections[key]?.reported = amount
  }
}
