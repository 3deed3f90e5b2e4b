/// What a sampler collected, in memory: written when the link has stopped.
package struct TCPSamples: Sendable {
  /// Samples kept: 64 connections for more than half a minute, or one for more than half an hour.
  static let limit = 400_000

  package private(set) var samples = ChunkedList<TCPSample>()
  /// Whether no limit and no error has left out a sample or a connection. A connection is sampled while it is established.
  package internal(set) var isComplete = true
  /// Processor time of the sampler's thread.
  package internal(set) var processorNanoseconds: Int64 = 0

  private let limit: Int

  init(limit: Int = Self.limit) { self.limit = limit }

  mutating func append(_ sample: TCPSample) {
    guard samples.count < limit else {
      isComplete = false
      return
    }
    samples.append(sample)
  }

  /// One line a sample.
  func writeCSV(to path: String) throws(EmulatorError) {
    var file = try BufferedFile(path: path)
    try file.write((TCPSample.csvHeader + "\n").utf8)
    for index in 0..<samples.count { try file.write((samples[index].csvLine + "\n").utf8) }
    try file.close()
  }
}
