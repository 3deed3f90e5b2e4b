package import Foundation

/// `events.csv`: a line for each event of every run, also of discarded ones; written as the runs come, in 64 KiB pieces.
///
/// Times are nanoseconds from the schedule's start; `excess_ms` is empty where the event never arrived.
package struct EventsCSVWriter: ~Copyable {
  package static let name = "events.csv"
  private static let header =
    "arm,repetition,discarded,stream,sequence,scheduled_ns,written_ns,received_ns,excess_ms\n"
  private static let pieceBytes = 64 << 10

  private let url: URL
  private let handle: FileHandle
  private var piece = Data(Self.header.utf8)
  private let oneWayDelayMilliseconds: Double

  /// Makes the file, or empties it.
  ///
  /// - Parameter oneWayDelayMilliseconds: the configured one toward the client.
  package init(_ url: URL, oneWayDelayMilliseconds: Double) throws(FileError) {
    self.url = url
    self.oneWayDelayMilliseconds = oneWayDelayMilliseconds
    do {
      try Data().write(to: url)
      handle = try FileHandle(forWritingTo: url)
    } catch { throw .unwritable(url, error) }
  }

  package mutating func write(_ record: RunRecord, discarded: Bool) throws(FileError) {
    let head = "\(Self.quoted(record.arm)),\(record.repetition),\(discarded ? 1 : 0),"
    let start = record.client.start
    for event in record.client.events {
      var excess = ""
      if let received = event.received {
        let latency = RunTimes.milliseconds(from: event.scheduled, to: received) - oneWayDelayMilliseconds
        excess = "\(latency.rounded(to: 1000))"
      }
      let scheduled = String(event.scheduled &- start)
      let written = event.written.map { String($0 &- start) } ?? ""
      let received = event.received.map { String($0 &- start) } ?? ""
      let cells = [String(event.stream), String(event.sequence), scheduled, written, received, excess]
      piece.append(contentsOf: (head + cells.joined(separator: ",") + "\n").utf8)
      if piece.count >= Self.pieceBytes { try flush() }
    }
  }

  /// Writes what is left; nothing can be written afterwards.
  package consuming func close() throws(FileError) {
    try flush()
    do { try handle.close() } catch { throw .unwritable(url, error) }
  }

  private mutating func flush() throws(FileError) {
    do { try handle.write(contentsOf: piece) } catch { throw .unwritable(url, error) }
    piece.removeAll(keepingCapacity: true)
  }

  /// RFC 4180 § 2: quoted if it must be, quotation marks doubled.
  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
