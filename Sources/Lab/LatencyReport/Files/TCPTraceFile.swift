/// Reads the samples of TCP connections, `tcp.csv`.
enum TCPTraceFile {
  /// The columns that are read here, by their names in the first line.
  private enum Column: String, CaseIterable {
    case time = "time_ns"
    case localPort = "local_port"
    case remotePort = "remote_port"
    case segment = "mss_bytes"
    case window = "cwnd_segments"
    case unacknowledged = "unacked_segments"
    case sacked = "sacked_segments"
    case lost = "lost_segments"
    case retransmitted = "retransmitted_segments"
  }

  /// The connections of a server's port, in the order of their first samples.
  static func connections(_ text: String, localPort: Int, name: String) throws(FileError) -> [[SenderTrace.Sample]] {
    let lines = text.split(separator: "\n")
    let header = (lines.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
    var places: [Column: Int] = [:]
    for column in Column.allCases {
      guard let place = header.firstIndex(of: Substring(column.rawValue)) else {
        throw FileError(
          "'\(name)' has no column '\(column.rawValue)', so it is no tcp.csv that this program understands.")
      }
      places[column] = place
    }
    var order: [Int64] = []
    var samples: [Int64: [SenderTrace.Sample]] = [:]
    for (index, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      var row: [Column: Int64] = [:]
      for (column, place) in places {
        guard fields.indices.contains(place), let value = Int64(fields[place]) else {
          throw FileError("'\(name)' has no \(column.rawValue) in line \(index + 1).")
        }
        row[column] = value
      }
      guard row[.localPort] == Int64(localPort), let time = row[.time], let remote = row[.remotePort] else { continue }
      func segments(_ column: Column) -> Double { Double(row[column] ?? 0) }
      let bytes = segments(.segment)
      // As the kernel counts what is in flight (tcp_packets_in_flight).
      let inFlight = segments(.unacknowledged) - segments(.sacked) - segments(.lost) + segments(.retransmitted)
      if samples[remote] == nil { order.append(remote) }
      samples[remote, default: []].append(
        SenderTrace.Sample(time: time, windowBytes: segments(.window) * bytes, inFlightBytes: max(0, inFlight) * bytes))
    }
    return order.compactMap { samples[$0] }
  }
}
