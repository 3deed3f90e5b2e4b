package import Foundation

/// The folder of one captured run.
package struct CaptureFolder {
  /// Larger traces are refused: they are read into memory whole. Ours end at this size.
  private static let largestTraceBytes = 256 << 20

  package let url: URL

  /// - Parameter repetition: below 0 for a warm-up.
  package init(in experiment: URL, arm: String, repetition: Int) {
    let name = repetition < 0 ? "\(arm)-warm-up" : "\(arm)-\(repetition)"
    url = experiment.appendingPathComponent("captures").appendingPathComponent(name)
  }

  private var factsFile: URL { url.appendingPathComponent("capture.json") }

  /// Whether the run was captured, by a program that wrote these facts.
  package var exists: Bool { FileManager.default.fileExists(atPath: factsFile.path) }

  package func write(_ facts: CaptureFacts) throws(FileError) { try VersionedJSON.write(facts, to: factsFile) }

  package func readFacts() throws(FileError) -> CaptureFacts {
    try VersionedJSON.decode(
      CaptureFacts.self, from: try VersionedJSON.read(factsFile), name: factsFile.path, what: "a capture.json",
      versions: CaptureFacts.currentVersion...CaptureFacts.currentVersion)
  }

  /// The connections of a server on `port`: those over TCP, and those of QUIC that left a trace here.
  package func senders(port: Int) throws(FileError) -> SenderTrace {
    let offset = try readFacts().wallClockOffsetNanoseconds
    let samples = url.appendingPathComponent("tcp.csv")
    var trace = SenderTrace()
    if FileManager.default.fileExists(atPath: samples.path) {
      let text = String(decoding: try VersionedJSON.read(samples, most: Self.largestTraceBytes), as: UTF8.self)
      trace.connections += try TCPTraceFile.connections(text, localPort: port, name: samples.path)
      trace.countsSegments = !trace.connections.isEmpty
    }
    for file in try traces() {
      trace.connections.append(
        try QlogTraceFile.samples(
          try VersionedJSON.read(file, most: Self.largestTraceBytes), wallClockOffset: offset, name: file.path))
    }
    trace.connections.removeAll(where: \.isEmpty)
    return trace
  }

  private func traces() throws(FileError) -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent.hasSuffix("_server.sqlog") }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    } catch { throw .unreadable(url, error) }
  }
}
