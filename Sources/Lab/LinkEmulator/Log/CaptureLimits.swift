/// The part of the packets that a capture keeps.
package struct CaptureLimits: Hashable, Sendable {
  /// Bytes of each packet; what is longer is cut.
  package var packetBytes: Int
  /// Bytes of both sides together; afterwards nothing more is kept.
  package var totalBytes: Int

  package init(packetBytes: Int = 65_535, totalBytes: Int = 256 << 20) {
    self.packetBytes = packetBytes
    self.totalBytes = totalBytes
  }
}
