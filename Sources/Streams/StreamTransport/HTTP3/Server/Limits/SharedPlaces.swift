import Synchronization

/// The connections, or requests, that a server may hold, shared out between their sources by the rule of ``HTTP3Limits``:
/// when all places are taken, a newcomer gets that of the newest of the prefix that has most, if that one has at least two
/// more.
package final class SharedPlaces: Sendable {
  /// A place that is taken.
  package typealias Place = LoadMember

  private struct State {
    var policy: LoadPolicy
    var places = LoadMembers()
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
      let place = state.places.newcomer(from: prefix)
      let verdict = state.policy.connectionBegins(place.ticket, from: prefix)
      if case .refused = verdict { return (nil, nil) }
      state.places.keep(place, end: end)
      guard case .takenInPlace(let other) = verdict else { return (place, nil) }
      return (place, state.places.remove(other))
    }
    endOfOther?()
    return place
  }

  /// Gives the place back, if no other has taken it.
  package func leave(_ place: Place) {
    state.withLock { state in
      guard state.places.remove(place.ticket) != nil else { return }
      state.policy.connectionEnded(place.ticket, from: place.prefix)
    }
  }
}
