package import HTTP3Engine

/// One movable deadline on a loop, for one owner; on the loop's thread only.
package final class LoopTimer {
  private let loop: EventLoop
  private let token: UInt64

  /// - Parameter handler: called on the loop's thread when the deadline has passed; the timer is then unset.
  package init(_ loop: EventLoop, handler: @escaping @Sendable () -> Void) {
    self.loop = loop
    token = loop.addTimer(handler)
  }

  /// Sets or moves the deadline; nil unsets it.
  package func set(_ deadline: Timestamp?) {
    loop.setTimer(token, to: deadline)
  }

  /// Drops the handler; the timer can't be set again.
  package func cancel() {
    loop.removeTimer(token)
  }
}
