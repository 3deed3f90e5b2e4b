/// Decides who may have a connection, begin a request, and hold memory, by ``HTTP3Limits``.
///
/// Takes what begins, ends and is held; returns who is refused and who has to go. It knows no time and no sockets.
struct LoadPolicy {
  enum Verdict: Equatable {
    case taken
    /// Another has to end for it, which counts no more from now on.
    case takenInPlace(of: LoadTicket)
    case refused(LoadRefusal)
  }

  let limits: HTTP3Limits
  private var connections = FairShare()
  private var requests = FairShare()
  private var memory = FairShare()
  /// Connections that are to give memory back, and count for none until they have.
  private var relieving: Set<LoadTicket> = []

  init(_ limits: HTTP3Limits) {
    self.limits = limits
  }

  var connectionCount: Int { connections.total }
  var halfOpenRequestCount: Int { requests.total }
  var heldBytes: Int { memory.total }

  // MARK: Connections

  /// Whether a connection from there would be taken without another's end.
  func hasRoom(for prefix: SourcePrefix) -> Bool {
    connections.total < limits.maximumConnections
      && connections.total(of: prefix) < limits.maximumConnectionsPerPrefix
  }

  mutating func connectionBegins(_ ticket: LoadTicket, from prefix: SourcePrefix) -> Verdict {
    Self.add(
      ticket, from: prefix, to: &connections, limit: limits.maximumConnections,
      limitOfPrefix: limits.maximumConnectionsPerPrefix, refusals: (.connections, .prefixConnections))
  }

  mutating func connectionEnded(_ ticket: LoadTicket, from prefix: SourcePrefix) {
    connections.set(0, of: ticket, behind: prefix)
    memory.set(0, of: ticket, behind: prefix)
    relieving.remove(ticket)
  }

  // MARK: Half-open requests

  mutating func requestBegins(_ ticket: LoadTicket, from prefix: SourcePrefix) -> Verdict {
    Self.add(
      ticket, from: prefix, to: &requests, limit: limits.maximumHalfOpenRequests,
      limitOfPrefix: limits.maximumHalfOpenRequestsPerPrefix, refusals: (.requests, .prefixRequests))
  }

  mutating func requestEnded(_ ticket: LoadTicket, from prefix: SourcePrefix) {
    requests.set(0, of: ticket, behind: prefix)
  }

  // MARK: Memory

  /// A connection holds so many bytes now; answers the connections that have to give some back.
  mutating func connection(_ ticket: LoadTicket, from prefix: SourcePrefix, holds bytes: Int) -> [LoadTicket] {
    guard !relieving.contains(ticket) else { return [] }
    memory.set(bytes, of: ticket, behind: prefix)
    var chosen: [LoadTicket] = []
    while let crowded = crowded(by: prefix), let largest = memory.largestHolder(behind: crowded) {
      // As good as given back.
      memory.set(0, of: largest, behind: crowded)
      relieving.insert(largest)
      chosen.append(largest)
    }
    return chosen
  }

  /// A connection that was to give back has done so, and holds so many bytes still; answers as
  /// ``connection(_:from:holds:)``.
  mutating func connection(_ ticket: LoadTicket, from prefix: SourcePrefix, keeps bytes: Int) -> [LoadTicket] {
    relieving.remove(ticket)
    return connection(ticket, from: prefix, holds: bytes)
  }

  /// The prefix that has to give back now that `prefix` holds more; nil while there is enough.
  private func crowded(by prefix: SourcePrefix) -> SourcePrefix? {
    if memory.total(of: prefix) > limits.maximumHeldBytesPerPrefix { return prefix }
    return memory.total > limits.maximumHeldBytes ? memory.heaviest : nil
  }

  private static func add(
    _ ticket: LoadTicket, from prefix: SourcePrefix, to share: inout FairShare, limit: Int, limitOfPrefix: Int,
    refusals: (inSum: LoadRefusal, ofPrefix: LoadRefusal)
  ) -> Verdict {
    let own = share.total(of: prefix)
    guard own < limitOfPrefix else { return .refused(refusals.ofPrefix) }
    guard share.total >= limit else {
      share.set(1, of: ticket, behind: prefix)
      return .taken
    }
    guard let heaviest = share.heaviest, share.total(of: heaviest) >= own + 2,
      let newest = share.largestHolder(behind: heaviest)
    else { return .refused(refusals.inSum) }
    share.set(0, of: newest, behind: heaviest)
    share.set(1, of: ticket, behind: prefix)
    return .takenInPlace(of: newest)
  }
}

/// The reason for which a server refused or ended something of a client's; metrics name it by its raw value.
enum LoadRefusal: String, CaseIterable, Sendable {
  /// Too many connections, or half-open requests, in sum or from one prefix; another made room, or none could.
  case connections, prefixConnections, requests, prefixRequests
  /// Connections and requests that ended to make room for others.
  case displacedConnections, displacedRequests
  /// Too many bytes held.
  case memory
  /// A time limit passed.
  case headerTimeout, bodyTimeout, writeTimeout
}
