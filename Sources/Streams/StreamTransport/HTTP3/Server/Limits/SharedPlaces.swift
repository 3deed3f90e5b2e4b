import Synchronization

/// The connections, or requests, that a server may hold, shared out between their sources by the rule of ``HTTP3Limits``:
/// when all places are taken, a newcomer gets that of the newest of the prefix that has most, if that one has at least two
/// more.
package final class SharedPlaces: Sendable {
  /// A place that is taken.
  package struct Place: Sendable {
    fileprivate let ticket: LoadTicket
    fileprivate let prefix: SourcePrefix
  }

  private struct State {
    var policy: LoadPolicy
    var last: UInt64 = 0
    /// What ends those that have a place.
    var ends: [LoadTicket: @Sendable () -> Void] = [:]
  }

  private let state: Mutex<State>

  package init(_ count: Int) {
    var limits = HTTP3Limits()
    limits.maximumConnections = count
    // One source may have them all while nobody else comes, as a reverse proxy does.
    limits.maximumConnectionsPerPrefix = count
    state = Mutex(State(policy: LoadPolicy(limits)))
  }

  /// Takes a place; nil where there is none for this prefix.
  ///
  /// - Parameter end: ends the connection, or request, when another takes its place, which it gives up by that.
  package func take(from prefix: SourcePrefix, end: @escaping @Sendable () -> Void) -> Place? {
    let (place, endOfOther) = state.withLock { state -> (Place?, (@Sendable () -> Void)?) in
      state.last += 1
      let ticket = LoadTicket(number: state.last, member: 0)
      let verdict = state.policy.connectionBegins(ticket, from: prefix)
      if case .refused = verdict { return (nil, nil) }
      state.ends[ticket] = end
      guard case .takenInPlace(let other) = verdict else { return (Place(ticket: ticket, prefix: prefix), nil) }
      return (Place(ticket: ticket, prefix: prefix), state.ends.removeValue(forKey: other))
    }
    endOfOther?()
    return place
  }

  /// Gives the place back, if no other has taken it.
  package func leave(_ place: Place) {
    state.withLock { state in
      guard state.ends.removeValue(forKey: place.ticket) != nil else { return }
      state.policy.connectionEnded(place.ticket, from: place.prefix)
    }
  }
}
