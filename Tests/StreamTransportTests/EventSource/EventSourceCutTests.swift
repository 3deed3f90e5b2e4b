import EventStream
import Foundation
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

@Suite struct EventSourceCutTests {
  /// Fifty streams, each cut at random bytes until the log is through: nothing is lost, repeated or reordered.
  @Test(.timeLimit(.minutes(10)), arguments: UInt64(1)...50)
  func everyEventComesOnceWhateverIsCut(seed: UInt64) async throws {
    let log = EventLogScript(count: 40, seed: seed)
    let carrier: EventCursor.Carrier = seed % 2 == 0 ? .query(name: "cursor") : .lastEventID
    let transport = ScriptedTransport { received in
      var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(received.number))
      let bytes = log.bytes(after: Self.cursor(of: received.request, carrier))
      let isLast = received.number > 12
      let count = isLast ? bytes.count : Int.random(in: 0...bytes.count, using: &generator)
      var steps: [ScriptedTransport.Step] = []
      var rest = bytes.prefix(count)
      while !rest.isEmpty {
        let size = Int.random(in: 1...17, using: &generator)
        steps.append(.bytes(Array(rest.prefix(size))))
        rest = rest.dropFirst(size)
      }
      let isClean = generator.chance(0.3)
      steps.append(isClean ? .end : .cut(TransportError(.connectionLost, "cut")))
      return .response(EventLogScript.head, steps)
    }
    let clock = ManualClock()
    var configuration = EventSourceConfiguration()
    configuration.cursor = carrier
    configuration.clock = TransportClock(clock)
    configuration.makeGenerator = { SeededGenerator(seed: seed) }
    let client = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
    var seen: [ServerSentEvent] = []
    reading: for try await update in client.updates({ _ in EventSourceRequest(path: "/events?x=1") }) {
      switch update {
      case .event(let event, _):
        seen.append(event)
        if seen.count == log.events.count { break reading }
      case .disconnected(_, _, let delay):
        if delay > .zero { clock.skipSleep(of: delay) }
      case .connecting, .opened, .comment, .idCommitted: break
      }
    }
    #expect(seen == log.events, "seed \(seed)")
    #expect(transport.requests.allSatisfy { $0.request.path?.hasPrefix("/events?x=1") == true })
  }

  private static func cursor(of request: HTTPRequest, _ carrier: EventCursor.Carrier) -> String {
    switch carrier {
    case .lastEventID, .queryAndLastEventID:
      let name = HTTPField.Name("last-event-id")
      let field = request.headerFields.first { $0.name == name }
      return field.map { String(decoding: Array($0.value.utf8), as: UTF8.self) } ?? ""
    case .query(let name):
      let query = request.path?.split(separator: "?").last.map(String.init) ?? ""
      let item = query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
      return item?.dropFirst(name.count + 1).removingPercentEncoding ?? ""
    }
  }
}
