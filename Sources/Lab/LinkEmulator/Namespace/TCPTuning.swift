import Foundation

/// Settings of TCP for streams of small writes, as an administrator makes them: for all connections of both sides.
package struct TCPTuning: Hashable, Sendable {
  /// The floor of the retransmission time-out; the kernel's is 200 ms.
  package var minimumRTOMilliseconds: Int?
  /// Whether a connection with few packets in flight repeats a time-out without doubling it, up to six times.
  package var hasLinearTimeouts: Bool
  /// Bytes that wait unsent in a socket before it takes no more (`TCP_NOTSENT_LOWAT`); the kernel has no limit.
  package var unsentBytes: Int?

  package init(minimumRTOMilliseconds: Int? = nil, hasLinearTimeouts: Bool = false, unsentBytes: Int? = nil) {
    self.minimumRTOMilliseconds = minimumRTOMilliseconds
    self.hasLinearTimeouts = hasLinearTimeouts
    self.unsentBytes = unsentBytes
  }

  /// One phrase for each setting, for reports.
  package var notes: [String] {
    var notes: [String] = []
    if let minimumRTOMilliseconds { notes.append("TCP's time-out from \(minimumRTOMilliseconds) ms at both ends") }
    if hasLinearTimeouts { notes.append("time-outs of thin streams are not doubled, at both ends") }
    if let unsentBytes { notes.append("a socket takes no more while \(unsentBytes) bytes are unsent, at both ends") }
    return notes
  }

  /// The settings that this kernel does not have; Linux has the last of them since 6.11.
  package var missing: [String] {
    settings.map(\.name).filter { !FileManager.default.fileExists(atPath: Self.folder + $0) }
  }

  static let folder = "/proc/sys/net/"

  /// Files below `folder`, and what is to be in them.
  var settings: [(name: String, value: String)] {
    var settings: [(name: String, value: String)] = []
    if let minimumRTOMilliseconds {
      settings.append(("ipv4/tcp_rto_min_us", "\(minimumRTOMilliseconds * 1_000)"))
    }
    if hasLinearTimeouts { settings.append(("ipv4/tcp_thin_linear_timeouts", "1")) }
    if let unsentBytes { settings.append(("ipv4/tcp_notsent_lowat", "\(unsentBytes)")) }
    return settings
  }
}
