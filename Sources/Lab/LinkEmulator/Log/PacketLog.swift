import Foundation
package import LinkModel

/// A link's record of every packet: the ground truth of a run.
package struct PacketLog: Sendable {
  /// The entries, in the order in which packets entered; times are those of the monotonic clock, in nanoseconds.
  package var entries: [PacketLogEntry]
  /// Entries that were left out after the limit; 0 says that the log is whole.
  package var unloggedCount: Int
  /// The offset from this log's times to nanoseconds since 1970.
  package var wallClockOffset: Int64
  package var started: Int64
  package var stopped: Int64
  /// Packets that the receiver's kernel did not take.
  package var failedWrites: Int
  /// The lateness with which packets left: the emulator's own error.
  package var lateness: DelayDistribution
  /// Whether the loop ran with SCHED_FIFO, and with its memory locked.
  package var isRealtime: Bool
  package var isMemoryLocked: Bool
  /// The capture's files, client first; empty without a capture.
  package var captureFiles: [String]
  package var isCaptureComplete: Bool
  /// The state of the server's TCP connections meanwhile; nil without a capture.
  package var tcp: TCPSamples?
  /// The reason for which the capture could not be written, if so.
  package var captureError: EmulatorError?

  package init(
    entries: [PacketLogEntry], unloggedCount: Int = 0, wallClockOffset: Int64 = 0, started: Int64 = 0,
    stopped: Int64 = 0, failedWrites: Int = 0, isRealtime: Bool = false, isMemoryLocked: Bool = false,
    captureFiles: [String] = [], isCaptureComplete: Bool = true
  ) {
    self.entries = entries
    self.unloggedCount = unloggedCount
    self.wallClockOffset = wallClockOffset
    self.started = started
    self.stopped = stopped
    self.failedWrites = failedWrites
    self.isRealtime = isRealtime
    self.isMemoryLocked = isMemoryLocked
    self.captureFiles = captureFiles
    self.isCaptureComplete = isCaptureComplete
    lateness = DelayDistribution(
      nanoseconds: entries.compactMap { entry in
        guard let due = entry.due, let left = entry.left else { return nil }
        return left - due
      })
  }

  /// The first line of ``writeCSV(to:)``.
  package static let csvHeader = "number,direction,protocol,bytes,in_ns,due_ns,out_ns,verdict,cause,queued_bytes"

  /// One line a packet, times on the monotonic clock; an empty field says that it did not come to it.
  package func writeCSV(to path: String) throws(EmulatorError) {
    var file = try BufferedFile(path: path)
    try file.write((Self.csvHeader + "\n").utf8)
    for entry in entries { try file.write((entry.csvLine + "\n").utf8) }
    try file.close()
  }
}

extension PacketLogEntry {
  package var csvLine: String {
    let times = [entered, due, left].map { $0.map(String.init) ?? "" }
    let fields =
      [String(number), direction.rawValue, transport.rawValue, String(bytes)] + times
      + [verdict.rawValue, cause.rawValue, String(queuedBytes)]
    return fields.joined(separator: ",")
  }
}
