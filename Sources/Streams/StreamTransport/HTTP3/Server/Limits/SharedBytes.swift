import Synchronization

/// The bytes that a server may hold for clients that do not take them, shared out between their sources by the rule of
/// ``HTTP3Limits``: beyond the limit the largest holder of the prefix that holds most is ended.
package final class SharedBytes: Sendable {
  package typealias Holder = LoadMember

  private struct State {
    var policy: LoadPolicy
    var holders = LoadMembers()
  }

  private let state: Mutex<State>

  package init(_ bytes: Int) {
    var limits = HTTP3Limits()
    limits.maximumHeldBytes = bytes
    // One source may hold them all while nobody else comes, as a reverse proxy does.
    limits.maximumHeldBytesPerPrefix = bytes
    state = Mutex(State(policy: LoadPolicy(limits)))
  }

  /// The bytes that are held, without those of holders that have been told to end.
  package var total: Int { state.withLock { $0.policy.heldBytes } }

  /// - Parameter end: ends the connection, or request, for the others' benefit. It is called within ``set(_:of:)``, on any
  ///   thread.
  package func join(from prefix: SourcePrefix, end: @escaping @Sendable () -> Void) -> Holder {
    state.withLock { state in
      let holder = state.holders.newcomer(from: prefix)
      state.holders.keep(holder, end: end)
      return holder
    }
  }

  /// Sets the number of bytes that a holder has. One that has been told to end, or has left, does not count.
  package func set(_ bytes: Int, of holder: Holder) {
    let ends = state.withLock { state in
      guard state.holders.contains(holder) else { return [@Sendable () -> Void]() }
      return state.policy.connection(holder.ticket, from: holder.prefix, holds: bytes)
        .compactMap { state.holders.remove($0) }
    }
    for end in ends { end() }
  }

  /// Gives back all that the holder has.
  package func leave(_ holder: Holder) {
    state.withLock { state in
      _ = state.holders.remove(holder.ticket)
      state.policy.connectionEnded(holder.ticket, from: holder.prefix)
    }
  }
}
