/// Notices a full congestion window of which nothing will ever be acknowledged or found lost.
///
/// ngtcp2 (1.11; the first also 1.25) runs no loss timer, and so sends nothing any more but acknowledgements,
/// - when a server has used up what it may send on the new path of a client that moved (RFC 9000 § 8.1) and is asked for
///   more: the timer stops, and starts again with the next packet only, for which a full window has no room.
///   ``ClientAddresses`` knows when not to ask, but not of paths that it has forgotten;
/// - when all that is in flight are PATH_RESPONSEs, for which it runs no timer.
///
/// Nothing in its interface helps, so such a connection is closed and the client may make another. An outage looks alike
/// between two probes; it is recognised by its timer, whose period doubles with each probe (RFC 9002 § 6.2.1).
struct SendStall {
  private static let patience = Duration.seconds(10)
  /// Room for timers that fire late.
  private static let slack = Duration.seconds(1)

  private var inFlight: UInt64 = 0
  private var since = Timestamp(nanoseconds: 0)
  /// The longest time between two changes of the bytes in flight since the window was full.
  private var longestPeriod = Duration.zero

  /// Takes the bytes in flight when there is nothing to send, and the library's next deadline; returns true when the
  /// connection has to go. While the timer runs, probes change the bytes in flight, each at most twice the longest period
  /// before after the one before.
  mutating func isStalled(
    inFlight: UInt64, window: UInt64, deadline: @autoclosure () -> Timestamp?, at now: Timestamp
  ) -> Bool {
    guard inFlight >= window, inFlight == self.inFlight else {
      longestPeriod = inFlight >= window && self.inFlight >= window ? max(longestPeriod, now - since) : .zero
      self.inFlight = inFlight
      since = now
      return false
    }
    let silence = now - since
    guard silence >= Self.patience else { return false }
    guard let deadline = deadline() else { return true }
    return deadline - now >= silence && deadline - since > longestPeriod * 2 + Self.slack
  }
}
