import HTTP3Engine
import TransportRecords

/// One server's place in a ``ResumptionStore``.
struct ServerMemory: Sendable {
  let store: ResumptionStore
  let origin: Origin
  let ecn: ECNTolerance

  /// - Parameter clock: measures how long a doubt of ECN holds.
  init(store: ResumptionStore, origin: Origin, clock: TransportClock) {
    self.store = store
    self.origin = origin
    ecn = ECNTolerance(clock)
  }

  func take() async -> RememberedServer { await store.take(origin) }
  /// Returns what was taken and not sent.
  func putBack(_ unused: RememberedServer) { store.putBack(unused, for: origin) }
  func flush() async { await store.flush() }
  func add(_ ticket: ResumptionTicket) { store.add(ticket, for: origin) }
  func forgetTickets() { store.forgetTickets(of: origin) }
  func setToken(_ token: [UInt8]) { store.setToken(token, for: origin) }
  func doubtECN() {
    ecn.doubt()
    store.doubtECN(of: origin)
  }
  func setRoundTrip(_ roundTrip: Duration) { store.setRoundTrip(roundTrip, for: origin) }
}
