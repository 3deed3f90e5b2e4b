import Synchronization

/// The bytes that a server may hold for clients that do not take them, shared out between their sources by the rule of
/// ``HTTP3Limits``: beyond the limit the one ends that holds most, of the prefix that holds most.
package final class SharedBytes: Sendable {
  /// One that holds bytes.
  package struct Holder: Sendable {
    fileprivate let ticket: LoadTicket
    fileprivate let prefix: SourcePrefix
  }

  private struct State {
    var policy: LoadPolicy
    var last: UInt64 = 0
    /// What ends those that hold bytes.
    var ends: [LoadTicket: @Sendable () -> Void] = [:]
  }

  private let state: Mutex<State>

  package init(_ bytes: Int) {
    var limits = HTTP3Limits()
    limits.maximumHeldBytes = bytes
    // One source may hold them all while nobody else comes, as a reverse proxy does.
    limits.maximumHeldBytesPerPrefix = bytes
    state = Mutex(State(policy: LoadPolicy(limits)))
  }

  /// The bytes that are held; what those hold who were told to end is not counted.
  package var total: Int { state.withLock { $0.policy.heldBytes } }

  /// - Parameter end: ends the connection, or request, for the others' benefit. It is called within ``set(_:of:)``, on any
  ///   thread.
  package func join(from prefix: SourcePrefix, end: @escaping @Sendable () -> Void) -> Holder {
    state.withLock { state in
      state.last += 1
      let ticket = LoadTicket(number: state.last, member: 0)
      state.ends[ticket] = end
      return Holder(ticket: ticket, prefix: prefix)
    }
  }

  /// A holder has so many bytes now.
  package func set(_ bytes: Int, of holder: Holder) {
    let ends = state.withLock { state in
      // One that was told to end, or has left, counts no more.
      guard state.ends[holder.ticket] != nil else { return [@Sendable () -> Void]() }
      return state.policy.connection(holder.ticket, from: holder.prefix, holds: bytes)
        .compactMap { state.ends.removeValue(forKey: $0) }
    }
    for end in ends { end() }
  }

  /// Gives back all that the holder has.
  package func leave(_ holder: Holder) {
    state.withLock { state in
      state.ends[holder.ticket] = nil
      state.policy.connectionEnded(holder.ticket, from: holder.prefix)
    }
  }
}
