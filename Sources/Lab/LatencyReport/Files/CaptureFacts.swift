/// What a capture's files do not say themselves: the content of `capture.json`.
package struct CaptureFacts: Codable, Hashable, Sendable {
  static let currentVersion = 1

  var version = Self.currentVersion
  /// From the link's clock, which `packets.csv` and `tcp.csv` have, to nanoseconds since 1970, as in pcapng and qlog.
  package var wallClockOffsetNanoseconds: Int64
  /// Whether no limit and no error has left anything out of `tcp.csv`, where a connection is while it is established.
  package var isTCPComplete: Bool
  /// Processor time that sampling took over the whole run.
  package var tcpSamplerNanoseconds: Int64

  package init(wallClockOffsetNanoseconds: Int64, isTCPComplete: Bool, tcpSamplerNanoseconds: Int64) {
    self.wallClockOffsetNanoseconds = wallClockOffsetNanoseconds
    self.isTCPComplete = isTCPComplete
    self.tcpSamplerNanoseconds = tcpSamplerNanoseconds
  }
}
