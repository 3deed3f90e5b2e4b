import ArgumentParser
import HTTP3Engine
import LinkModel

/// The effect of a client's `max_ack_delay` on an event stream: how late a lost event comes, and what is sent for it.
struct AckDelayBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack-delay",
    abstract: "Compares values of the client's max_ack_delay on event streams over a lossy link, in virtual time.",
    discussion: """
      Both engines in one process, a link that loses datagrams to the client and adds up to 4 ms of jitter each way, and
      time that is made up: the same seed gives the same numbers on every machine. An event is late by what it took
      beyond the link's own delay and jitter. Datagrams are counted without loss: what a server sends beyond those of
      another row is needless.
      """)

  @Option(help: "Events of each run.")
  var events = 5_000

  @Option(help: "Seed of the links.")
  var seed: UInt64 = 1

  @Flag(help: "Print one JSON object in place of the tables.")
  var json = false

  private static let delays = [1, 5, 10, 25]
  private static let roundTrips = [10, 50, 200]
  private static let gaps = [20, 200]

  func validate() throws {
    guard (1...10_000_000).contains(events) else {
      throw ValidationError("--events is \(events); 1 to 10 000 000 are possible.")
    }
  }

  func run() throws {
    var tables: [ComparisonTable] = []
    for gap in Self.gaps {
      for roundTrip in Self.roundTrips {
        let rows = try Self.delays.map { delay in
          let lossy = try AckDelayRun(
            delay: delay, roundTrip: roundTrip, gap: gap, events: events, lossRate: 0.02, seed: seed
          ).run()
          let clean = try AckDelayRun(
            delay: delay, roundTrip: roundTrip, gap: gap, events: events, lossRate: 0, seed: seed
          ).run()
          return ComparisonTable.Row(
            name: "\(delay) ms",
            values: [
              lossy.medianOfLost, lossy.ninetiethOfLost, lossy.meanLateness, clean.clientDatagramsPerEvent,
              clean.serverDatagramsPerEvent,
            ])
        }
        tables.append(
          ComparisonTable(
            section: "round trip \(roundTrip) ms, an event every \(gap) ms", title: "max_ack_delay",
            columns: [
              "lost_p50_ms", "lost_p90_ms", "mean_late_ms", "client_datagrams/event", "server_datagrams/event",
            ], rows: rows, base: "25 ms"))
      }
    }
    if json {
      print(try ComparisonTable.json("ack-delay", tables, skipped: []))
    } else {
      for table in tables { print(table.text) }
    }
  }
}
