import HTTP3Engine

/// Looks up one name in one source after the other, in the order of this machine's files.
struct NameSearch: Sendable {
  private static let loopback = [NetworkAddress(ip: .v6(0, 1, scope: 0), port: 0), .loopback(port: 0)]

  let files: NameFiles
  let loop: EventLoop

  /// The addresses that the first source has that has some.
  ///
  /// Throws ``TransportError`` with `nameNotFound`, or with `unreachable` and ``NameResolver/Failure`` where name servers
  /// could not be asked, and `CancellationError`.
  ///
  /// - Parameter turn: how many look-ups there were before, where servers are to take turns.
  func addresses(
    of name: HostName, turn: Int, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [NetworkAddress] {
    var failure: (any Error)?
    for source in files.order {
      switch source {
      case .hosts:
        let found = files.hosts.addresses(of: name)
        if !found.isEmpty { return found }
      case .machine:
        if files.isMachine(name) { return Self.loopback }
      case .dns where name.isLocalhost: continue
      case .dns:
        do {
          return try await DNSLookup(name, files, turn: turn, loop: loop).run()
        } catch let error as CancellationError {
          throw error
        } catch {
          failure = error
        }
      }
    }
    if name.isLocalhost { return Self.loopback }
    throw Self.error(name, failure)
  }

  private static func error(_ name: HostName, _ failure: (any Error)?) -> TransportError {
    let isNotFound = (failure as? DNSFailure)?.isNotFound ?? (failure == nil)
    let reason = failure.map { "\($0)" } ?? "no source knows it"
    return TransportError(
      isNotFound ? .nameNotFound : .unreachable,
      "The name '\(name.text)' has no address that can be used: \(reason). Check the host's name and the network.",
      cause: isNotFound ? nil : NameResolver.Failure())
  }
}
