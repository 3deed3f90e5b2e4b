import EventStream
import Foundation
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// An event source over each real transport: fifty seeded cuts of one stream, and the log arrives whole.
@Suite struct EventSourceOverTransportTests {
  @Test(.timeLimit(.minutes(10)), arguments: TransportConformanceTests.subjects.indices, [UInt64(7)])
  func fiftyCutsLoseAndRepeatNothing(index: Int, seed: UInt64) async throws {
    let log = EventLogScript(count: 300, seed: seed)
    let cuts = 50
    let attempts = Mutex(0)
    try await TransportConformanceTests.subjects[index].run { exchange in
      let number = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
      let query = exchange.request.path?.split(separator: "=").last.map(String.init) ?? ""
      let all = log.bytes(after: query.removingPercentEncoding ?? "")
      let count = number <= cuts ? Int.random(in: 0...min(all.count, 1_500), using: &generator) : all.count
      try await exchange.respond(EventLogScript.head)
      var rest = all[..<count]
      while !rest.isEmpty {
        let size = Int.random(in: 1...200, using: &generator)
        try await exchange.write(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      if number <= cuts, generator.chance(0.7) {
        await exchange.abort()
      } else {
        try await exchange.finish()
      }
    } body: { transport in
      var configuration = EventSourceConfiguration()
      configuration.cursor = .query(name: "cursor")
      configuration.backoff = BackoffConfiguration(floor: .zero, base: .zero, ceiling: .zero)
      let client = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      var seen: [ServerSentEvent] = []
      for try await update in client.updates({ _ in EventSourceRequest(path: "/events") }) {
        guard case .event(let event, _) = update else { continue }
        seen.append(event)
        if seen.count == log.events.count { break }
      }
      #expect(seen == log.events, "seed \(seed)")
    }
    #expect(attempts.withLock { $0 } > 20, "seed \(seed)")
  }
}
