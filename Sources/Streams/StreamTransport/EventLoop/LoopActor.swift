/// An actor that lives on an event loop, its executor.
package protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  /// Runs `body` as part of the actor; to be called on its loop, which is checked.
  ///
  /// `assumeIsolated` asks the concurrency runtime where it is, by casts and look-ups in cold memory for each readiness of a
  /// socket; the loop knows its thread. That such a closure may be called without its isolation is what
  /// `assumeIsolated` itself relies on.
  nonisolated func assumeOnLoop<Argument>(
    _ argument: Argument, _ body: @escaping (isolated Self, Argument) -> Void
  ) {
    loop.checkIsolated()
    unsafeBitCast(body, to: ((Self, Argument) -> Void).self)(self, argument)
  }

  /// The same for what needs no more than the actor.
  nonisolated func assumeOnLoop(_ body: @escaping (isolated Self) -> Void) {
    loop.checkIsolated()
    unsafeBitCast(body, to: ((Self) -> Void).self)(self)
  }
}
