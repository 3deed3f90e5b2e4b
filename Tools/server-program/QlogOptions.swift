package import ArgumentParser
package import StreamTransport

/// The traces that a server writes of its HTTP/3 connections.
package struct QlogOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write each HTTP/3 connection's events to this directory, for qvis.", valueName: "dir"))
  package var qlog: String?

  @Option(help: ArgumentHelp("Trace one of so many connections, at random.", valueName: "n"))
  package var qlogOneOf = 1

  @Option(help: ArgumentHelp("Keep so many traces in the directory; the oldest are removed.", valueName: "n"))
  package var qlogFiles: Int?

  @Option(help: ArgumentHelp("Keep so many megabytes of traces; the oldest are removed.", valueName: "n"))
  package var qlogMegabytes: Int?

  package init() {}

  package func validate() throws {
    guard (1...1_000_000_000).contains(qlogOneOf) else { throw ValidationError("--qlog-one-of is a number from 1 on.") }
    guard (1...1_000_000).contains(qlogFiles ?? 1), (1...1_000_000).contains(qlogMegabytes ?? 1) else {
      throw ValidationError("--qlog-files and --qlog-megabytes are numbers from 1 to 1000000.")
    }
    guard qlog != nil || (qlogOneOf == 1 && qlogFiles == nil && qlogMegabytes == nil) else {
      throw ValidationError("--qlog-one-of, --qlog-files and --qlog-megabytes need --qlog, the directory.")
    }
  }

  /// The share of the connections that is traced, and the traces that are kept.
  package var sampling: QlogSampling {
    var sampling = QlogSampling()
    sampling.oneOf = qlogOneOf
    sampling.maximumFiles = qlogFiles
    sampling.maximumBytes = qlogMegabytes.map { $0 << 20 }
    return sampling
  }
}
