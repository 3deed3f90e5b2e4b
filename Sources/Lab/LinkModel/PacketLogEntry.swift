package enum LinkDirection: String, Codable, Hashable, Sendable, CaseIterable {
  case toClient, toServer
}

/// A link's record of one packet; the ground truth of a run.
package struct PacketLogEntry: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Hashable, Sendable {
    case delivered, dropped
    /// The link was closed while the packet was on it.
    case unfinished
  }

  /// The reason for which a packet was dropped, or what happened to one that was delivered.
  package enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
    case none, outage, udpBlocked, tooLarge, dropList, loss, weather, delayStep, udpRate, queueFull, oldBinding
    case corrupted, duplicated, early, unreadable
  }

  package enum TransportProtocol: String, Codable, Hashable, Sendable {
    case udp, tcp, other
  }

  /// The nth packet that entered the link, counted from 0; a duplicate has its original's number.
  package var number: Int
  package var direction: LinkDirection
  package var transport: TransportProtocol
  /// Bytes of the whole IP packet.
  package var bytes: Int
  /// The time at which it entered, on the caller's monotonic clock in nanoseconds.
  package var entered: Int64
  /// The time at which it should leave; nil if it is dropped.
  package var due: Int64?
  /// The time at which it did leave: later than `due` by the shell's own lateness.
  package var left: Int64?
  package var verdict: Verdict
  package var cause: Cause
  /// Bytes waiting before the rate stage when the packet arrived, excluding the packet.
  package var queuedBytes: Int

  package init(
    number: Int, direction: LinkDirection, transport: TransportProtocol, bytes: Int, entered: Int64, due: Int64? = nil,
    left: Int64? = nil, verdict: Verdict, cause: Cause = .none, queuedBytes: Int = 0
  ) {
    self.number = number
    self.direction = direction
    self.transport = transport
    self.bytes = bytes
    self.entered = entered
    self.due = due
    self.left = left
    self.verdict = verdict
    self.cause = cause
    self.queuedBytes = queuedBytes
  }
}
