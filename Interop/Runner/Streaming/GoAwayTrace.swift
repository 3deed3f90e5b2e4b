import Foundation

/// GOAWAY frames that the client received, as its qlog has them: whether a server announced that it ends (RFC 9114 § 5.2).
enum GoAwayTrace {
  private static let mostBytes = 16 << 20

  /// Connections on which a GOAWAY came, by the traces in a folder.
  static func connections(in folder: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { hasGoAway(Tool.text(folder + "/" + $0, mostBytes)) }
  }

  /// Whether one of a trace's records is a GOAWAY that was read.
  static func hasGoAway(_ trace: String) -> Bool {
    trace.split(separator: "\n").contains { $0.contains("\"http:frame_parsed\"") && $0.contains("\"goaway\"") }
  }
}
