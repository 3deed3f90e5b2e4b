import HTTP3Engine

/// The migration of a client's connection to another of this machine's addresses (RFC 9000 § 9): which path is tried in
/// place of which.
///
/// The kernel knows which address leads to the server. Every attempt has a socket and so a port of its own, which also
/// keeps clear of servers that lose a client that comes back to an address and port (ngtcp2#2257).
struct ClientMigration {
  /// The plan for a kernel's route to the server that may have changed.
  enum Plan: Hashable {
    /// The way is the path in use; a migration that could not begin yet is withdrawn.
    case stay
    /// The path is being tried already.
    case wait
    case migrate(MigrationKind)
  }

  private enum State {
    case settled
    case trying(NetworkPath, from: NetworkPath)
  }

  private var state = State.settled
  /// Migrations that were completed.
  private(set) var count = 0

  /// - Parameters:
  ///   - new: the path that the kernel would take now.
  ///   - hasAddress: whether this machine still has the address of the path in use; without it there is no time to try
  ///     the new path first.
  func plan(for new: NetworkPath, from current: NetworkPath, hasAddress: Bool) -> Plan {
    if new.local.ip == current.local.ip { return .stay }
    guard hasAddress else { return .migrate(.immediate) }
    if case .trying(let candidate, _) = state, new.local.ip == candidate.local.ip { return .wait }
    return .migrate(.probed)
  }

  mutating func begin(_ new: NetworkPath, from current: NetworkPath) {
    state = .trying(new, from: current)
  }

  /// The connection stays where it is.
  mutating func withdraw() {
    state = .settled
  }

  /// A path has answered. The path that was left for it; nil unless it is the one that was tried, and is in use now.
  mutating func validated(_ path: NetworkPath, current: NetworkPath?) -> NetworkPath? {
    guard case .trying(path, let old) = state, path == current else { return nil }
    state = .settled
    count += 1
    return old
  }

  /// A path does not answer; false unless it is the one that was tried.
  mutating func failed(_ path: NetworkPath) -> Bool {
    guard case .trying(path, _) = state else { return false }
    state = .settled
    return true
  }

  /// The local addresses whose sockets are needed; packets may still come to those of paths that were left.
  func addresses(with current: NetworkPath) -> Set<NetworkAddress> {
    switch state {
    case .settled: [current.local]
    case .trying(let candidate, _): [current.local, candidate.local]
    }
  }
}
