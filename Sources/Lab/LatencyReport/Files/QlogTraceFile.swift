import Foundation

/// Reads the congestion window and the bytes in flight from one connection's qlog file.
enum QlogTraceFile {
  private struct Head: Decodable {
    struct Trace: Decodable {
      var common_fields: CommonFields
    }
    struct CommonFields: Decodable {
      /// Milliseconds since 1970.
      var reference_time: Double
    }
    var trace: Trace
  }

  private struct Record: Decodable {
    struct Metrics: Decodable {
      var congestion_window: Double?
      var bytes_in_flight: Double?
    }
    /// Milliseconds from the reference time.
    var time: Double
    var data: Metrics
  }

  private static let updated = Data(#""recovery:metrics_updated""#.utf8)
  /// The latest time in milliseconds that is a number of nanoseconds too: in the year 2255.
  private static let latest = 9e12

  /// - Parameter wallClockOffset: from the link's clock to nanoseconds since 1970.
  static func samples(
    _ data: Data, wallClockOffset: Int64, name: String
  ) throws(FileError) -> [SenderTrace.Sample] {
    // Records of a JSON text sequence begin with a record separator and end with a line feed (RFC 7464).
    // The last one has no end where the server was killed.
    let whole = data[..<(data.lastIndex(of: 0x0A) ?? data.startIndex)]
    let lines = whole.split(separator: 0x0A).map { $0.first == 0x1E ? $0.dropFirst() : $0 }
    let decoder = JSONDecoder()
    do {
      guard let first = lines.first else { return [] }
      let reference = try decoder.decode(Head.self, from: Data(first)).trace.common_fields.reference_time
      var samples: [SenderTrace.Sample] = []
      var (window, inFlight) = (0.0, 0.0)
      for line in lines.dropFirst() where line.range(of: updated) != nil {
        let record = try decoder.decode(Record.self, from: Data(line))
        guard record.data.congestion_window != nil || record.data.bytes_in_flight != nil else { continue }
        // Only what has changed is written.
        window = record.data.congestion_window ?? window
        inFlight = record.data.bytes_in_flight ?? inFlight
        let milliseconds = reference + record.time
        guard (0...latest).contains(milliseconds) else { continue }
        samples.append(
          SenderTrace.Sample(
            time: Int64(milliseconds * 1e6) &- wallClockOffset, windowBytes: window, inFlightBytes: inFlight))
      }
      return samples
    } catch { throw .malformed(name, what: "a qlog file", error) }
  }
}
