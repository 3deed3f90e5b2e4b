import ArgumentParser
import Foundation

/// Our HTTP/3 client beside libcurl, aioquic and ngtcp2's own client, on the same servers, on this machine.
struct TransportBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transport",
    abstract: "Runs HTTP/3 clients and servers over loopback in turn and compares what they cost.",
    discussion: """
      Run it in the checkout: Interop/peers fetches the others; one that is not available is reported and left out. Programs run one
      after the other, A B A B, and each number is the median of its rounds. Ratios are to libcurl, which has the same
      ngtcp2 inside; processor time is what the client's own process used.
      """)

  @Option(help: "Bytes of one transfer.")
  var size = 1 << 30

  @Option(help: "Seconds of one stream of sparse events.")
  var seconds = 30

  @Option(help: "Rounds of each transfer and stream.")
  var rounds = 3

  @Option(help: "Connections held in the idle section.")
  var connections = 1_000

  @Option(help: "Seconds for which idle connections are watched.")
  var idleSeconds = 60

  @Option(help: "Packets of the engine section.")
  var packets = 200_000

  @OptionGroup var comparison: ComparisonOptions<TransportSection>

  func validate() throws {
    guard size > 0, seconds > 0, rounds > 0, connections > 0, idleSeconds > 0, packets > 0 else {
      throw ValidationError("Every number must be at least 1.")
    }
  }

  func run() throws {
    let programs = try Programs()
    defer { programs.removeFiles() }
    try comparison.run("transport", programs) { try run($0, programs) }
  }

  private func run(_ section: TransportSection, _ programs: Programs) throws -> [ComparisonTable] {
    switch section {
    case .bulk: try TransferSection(direction: .download, size: size, rounds: rounds, programs: programs).run()
    case .upload: try TransferSection(direction: .upload, size: size, rounds: rounds, programs: programs).run()
    case .sparse: try SparseSection(seconds: seconds, rounds: rounds, programs: programs).run()
    case .idle: try IdleSection(connections: connections, seconds: idleSeconds, programs: programs).run()
    case .engine: try EngineSection(packets: packets, programs: programs).run()
    }
  }
}

enum TransportSection: String, CaseIterable, ExpressibleByArgument {
  case bulk
  case upload
  case sparse
  case idle
  case engine
}
