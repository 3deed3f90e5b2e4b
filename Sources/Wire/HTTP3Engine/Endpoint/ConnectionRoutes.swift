/// The connection ids that lead to one connection.
///
/// One that the client has retired leads there a while longer, and what comes with it is dropped there. The library forgets
/// it a probe time-out after it was reported, which is that of the new path; packets from the old one may take longer, and a
/// stateless reset, which is the answer to an unknown id, would end a connection that is well (RFC 9000 § 10.3).
struct ConnectionRoutes {
  /// Retired ids that are kept.
  static let retiredLimit = 8

  private var used: Set<ConnectionID> = []
  /// The oldest first.
  private var retired: [ConnectionID] = []

  var all: [ConnectionID] { used + retired }

  mutating func add(_ id: ConnectionID) {
    used.insert(id)
  }

  /// The id that leads nowhere from now on.
  mutating func retire(_ id: ConnectionID) -> ConnectionID? {
    guard used.remove(id) != nil else { return nil }
    retired.append(id)
    return retired.count > Self.retiredLimit ? retired.removeFirst() : nil
  }
}
