/// The library's next time-out apart from pacing, while the handshake lasts.
///
/// An interval of pacing that was waited through longer than needed is credit to the library, and only then does it send a
/// burst. A handshake's last flight and the first request or answer are one (RFC 9002 § 7.7: an initial window may leave at
/// once), so an interval of the handshake is not woken up for: the peer's answer ends it, a round trip of credit later.
struct HandshakePacing {
  private var expiry: UInt64?

  /// Begins an interval when all that may leave has left: what is due next apart from pacing is known then.
  mutating func begin(expiry: UInt64) { self.expiry = expiry }

  /// Ends the interval: a packet came, or the time-out passed.
  mutating func end() { if expiry != nil { expiry = nil } }

  /// The time-out in nanoseconds, `libraryExpiry` unless an interval of the handshake lasts.
  func expiry(_ libraryExpiry: @autoclosure () -> UInt64) -> UInt64 { expiry ?? libraryExpiry() }
}
