/// Turns a connection's trace on; see ``HTTP3Connection/takeQlog()``.
package struct QlogConfiguration: Sendable {
  /// The time since 1970 at which the engine's clock was at zero; zero when it is not known or does not matter.
  package var epoch: Duration = .zero
  /// Bytes that may wait to be taken; events beyond are dropped, and their number is written where there is room again.
  package var waitingLimit = 1 << 20
  /// Bytes of the whole trace; beyond them it ends early, and says so.
  package var totalLimit = 256 << 20

  package init() {}
}

/// A part of a trace: whole records of the form JSON-SEQ (RFC 7464).
package struct QlogOutput: Hashable, Sendable {
  /// Names the trace: the original destination connection id in hexadecimal digits, and the side.
  package var name: String
  package var bytes: [UInt8]
  /// Whether nothing follows.
  package var isLast: Bool
}
