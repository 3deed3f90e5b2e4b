package import LinkModel

/// The packets of both sides in memory, written when the link stops: writing meanwhile would cost the link its times.
package struct PacketCapture: Sendable {
  package struct Packet: Sendable {
    package var side: LinkSide
    package var isReceived: Bool
    /// The time on the monotonic clock, in nanoseconds.
    package var time: Int64
    package var verdict: PacketLogEntry.Verdict
    package var cause: PacketLogEntry.Cause
    package var originalBytes: Int
    package var bytes: [UInt8]
  }

  /// A packet's overhead besides its bytes, so that a flood of small packets reaches the limit too.
  private static let overheadBytes = 96

  private let limits: CaptureLimits
  package private(set) var packets = ChunkedList<Packet>()
  private var usedBytes = 0
  /// Whether the limit left packets out.
  package private(set) var isComplete = true

  package init(limits: CaptureLimits) { self.limits = limits }

  package mutating func append(
    _ bytes: [UInt8], side: LinkSide, isReceived: Bool, at time: Int64, _ verdict: PacketLogEntry.Verdict,
    _ cause: PacketLogEntry.Cause
  ) {
    let kept = min(bytes.count, limits.packetBytes)
    guard isComplete, usedBytes + kept + Self.overheadBytes <= limits.totalBytes else {
      isComplete = false
      return
    }
    usedBytes += kept + Self.overheadBytes
    packets.append(
      Packet(
        side: side, isReceived: isReceived, time: time, verdict: verdict, cause: cause, originalBytes: bytes.count,
        bytes: kept == bytes.count ? bytes : Array(bytes[..<kept])))
  }
}
