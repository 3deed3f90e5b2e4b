import ArgumentParser
import EventStream

/// The throughput of the event-stream parser on an agent's token stream.
struct EventStreamBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "event-stream",
    abstract: "Parses 64 MiB of id, event and data blocks in 1200-byte chunks and delivers every event.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(help: "Rounds; each times the parser and the memchr loop in turn.")
  var rounds = 9

  private static let size = 64 << 20
  /// The payload of a QUIC datagram on the common path.
  private static let chunkSize = 1200

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
  }

  func run() throws {
    let stream = TokenStream(size: Self.size, seed: 1)
    guard try deliveredChecksum(stream) == stream.checksum else {
      throw ValidationError("The parser did not deliver what was written; its speed means nothing.")
    }
    var parser = Median()
    var memchr = Median()
    var ratio = Median()
    for _ in 0..<rounds {
      let (parsed, scanned) = try round(stream)
      parser.add(parsed)
      memchr.add(scanned)
      ratio.add(parsed / scanned)
    }
    guard let parsed = parser.value, let scanned = memchr.value, let share = ratio.value else { return }
    let report = EventStreamReport(
      bytes: stream.bytes.count, chunkBytes: Self.chunkSize, events: stream.eventCount, rounds: rounds,
      checksum: stream.checksum.description, parserMbPerS: parsed, memchrMbPerS: scanned,
      ratioToMemchr: share,
      eventsPerS: parsed * 1e6 / Double(stream.bytes.count) * Double(stream.eventCount))
    print(json ? try report.json : report.text)
  }

  /// One timed run each. Counting proves that every event arrived and that nothing was optimised away.
  private func round(_ stream: TokenStream) throws -> (parser: Double, memchr: Double) {
    var events = 0
    var dataBytes = 0
    let parsed = try Throughput.megabytesPerSecond(bytes: stream.bytes.count) {
      try deliver(stream) { event in
        events += 1
        dataBytes += event.data.utf8.count
      }
    }
    var lineFeeds = 0
    let scanned = Throughput.megabytesPerSecond(bytes: stream.bytes.count) {
      lineFeeds = stream.bytes.withUnsafeBytes(MemchrScan.lineFeeds)
    }
    guard events == stream.eventCount, dataBytes == stream.dataBytes, lineFeeds == 4 * events else {
      throw ValidationError("A round delivered \(events) of \(stream.eventCount) events.")
    }
    return (parsed, scanned)
  }

  private func deliveredChecksum(_ stream: TokenStream) throws -> Checksum {
    var checksum = Checksum()
    try deliver(stream) { event in
      checksum.add(event.type)
      checksum.add(event.data)
      checksum.add(event.lastEventID)
    }
    return checksum
  }

  private func deliver(_ stream: TokenStream, _ onEvent: (ServerSentEvent) -> Void) throws {
    var parser = EventStreamParser()
    try stream.bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(start + Self.chunkSize, bytes.count)
        try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { item in
          if case .event(let event) = item { onEvent(event) }
        }
        start = end
      }
    }
  }
}
