import Synchronization

/// The load of the clients of one or more HTTP/3 servers of a process, counted together against one set of
/// ``HTTP3Limits``.
///
/// Give the same one to each server that shares the limits on connections, half-open requests and held bytes; the time
/// limits and the limits of one connection are each server's own. All calls are short and may come from any thread.
public final class HTTP3ServerLoad: Sendable {
  /// An order to a server, for the benefit of the others.
  enum Order: Sendable {
    case endConnection(LoadTicket)
    case endRequest(LoadTicket)
    /// To end what holds most of the connection's memory.
    case relieve(LoadTicket)

    var ticket: LoadTicket {
      switch self {
      case .endConnection(let ticket), .endRequest(let ticket), .relieve(let ticket): ticket
      }
    }
  }

  private struct State {
    var policy: LoadPolicy
    var members: [UInt32: @Sendable (Order) -> Void] = [:]
    var nextMember: UInt32 = 0
    var nextTicket: UInt64 = 0
  }

  private let state: Mutex<State>

  /// Creates a load without connections, to be given to every server that shares `limits`.
  public init(_ limits: HTTP3Limits = HTTP3Limits()) {
    state = Mutex(State(policy: LoadPolicy(limits)))
  }

  /// Connections that count now.
  public var connectionCount: Int { state.withLock { $0.policy.connectionCount } }
  /// Requests that count as half open now.
  public var halfOpenRequestCount: Int { state.withLock { $0.policy.halfOpenRequestCount } }
  /// Bytes that count as held now, to within 4 KiB a connection.
  public var heldBytes: Int { state.withLock { $0.policy.heldBytes } }

  // MARK: Servers

  /// Another server counts here; `carryOut` is called with what it has to do, on any thread and never within a call.
  func join(_ carryOut: @escaping @Sendable (Order) -> Void) -> UInt32 {
    state.withLock { state in
      defer { state.nextMember += 1 }
      state.members[state.nextMember] = carryOut
      return state.nextMember
    }
  }

  func leave(_ member: UInt32) {
    state.withLock { $0.members[member] = nil }
  }

  // MARK: What they count

  func hasRoom(for prefix: SourcePrefix) -> Bool { state.withLock { $0.policy.hasRoom(for: prefix) } }

  /// The ticket of a connection that begins; fails with why it may not.
  func connectionBegins(_ member: UInt32, from prefix: SourcePrefix) -> Result<LoadTicket, LoadRefused> {
    begin(member, { Order.endConnection($0) }) { $0.connectionBegins($1, from: prefix) }
  }

  func connectionEnded(_ ticket: LoadTicket, from prefix: SourcePrefix) {
    state.withLock { $0.policy.connectionEnded(ticket, from: prefix) }
  }

  /// The ticket of a request that is half open; fails with why it may not be.
  func requestBegins(_ member: UInt32, from prefix: SourcePrefix) -> Result<LoadTicket, LoadRefused> {
    begin(member, { Order.endRequest($0) }) { $0.requestBegins($1, from: prefix) }
  }

  func requestEnded(_ ticket: LoadTicket, from prefix: SourcePrefix) {
    state.withLock { $0.policy.requestEnded(ticket, from: prefix) }
  }

  func connection(_ ticket: LoadTicket, from prefix: SourcePrefix, holds bytes: Int) {
    relieve { $0.connection(ticket, from: prefix, holds: bytes) }
  }

  /// Records the memory that is left after ``Order/relieve(_:)`` was carried out.
  func connection(_ ticket: LoadTicket, from prefix: SourcePrefix, keeps bytes: Int) {
    relieve { $0.connection(ticket, from: prefix, keeps: bytes) }
  }

  // MARK: Parts

  private func begin(
    _ member: UInt32, _ end: (LoadTicket) -> Order, _ decide: (inout LoadPolicy, LoadTicket) -> LoadPolicy.Verdict
  ) -> Result<LoadTicket, LoadRefused> {
    let (answer, order, carryOut) = state.withLock { state in
      let ticket = LoadTicket(number: state.nextTicket, member: member)
      state.nextTicket += 1
      switch decide(&state.policy, ticket) {
      case .taken:
        return (Result<LoadTicket, LoadRefused>.success(ticket), Order?.none, (@Sendable (Order) -> Void)?.none)
      case .takenInPlace(let other): return (.success(ticket), end(other), state.members[other.member])
      case .refused(let reason): return (.failure(LoadRefused(reason: reason)), nil, nil)
      }
    }
    if let order { carryOut?(order) }
    return answer
  }

  private func relieve(_ decide: (inout LoadPolicy) -> [LoadTicket]) {
    let orders = state.withLock { state in
      decide(&state.policy).map { (Order.relieve($0), state.members[$0.member]) }
    }
    for (order, carryOut) in orders { carryOut?(order) }
  }
}

/// Something of a client's was not taken.
struct LoadRefused: Error {
  var reason: LoadRefusal
}
