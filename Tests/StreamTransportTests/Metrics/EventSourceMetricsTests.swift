import EventStream
import HTTPTypes
import MetricsTestKit
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventSourceMetricsTests {
  /// One stream that ends, a refusal, one that is torn, and one that is torn before its first byte.
  @Test func gapsAreTimedFromByteToByte() async throws {
    let clock = ManualClock()
    let recorder = TestMetrics()
    let transport = ScriptedTransport { received in
      let event = ScriptedTransport.Step.bytes(Array("data: \(received.number)\n\n".utf8))
      let cut = ScriptedTransport.Step.cut(TransportError(.connectionLost, "The test cut the stream."))
      switch received.number {
      case 1: return .response(EventLogScript.head, [event, .end])
      case 2: return .response(HTTPResponse(status: .serviceUnavailable), [.end])
      case 3: return .response(EventLogScript.head, [event, cut])
      case 4: return .response(EventLogScript.head, [cut])
      default: return .response(EventLogScript.head, [event])
      }
    }
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(clock)
    configuration.makeGenerator = { SeededGenerator(seed: 1) }
    configuration.metrics = TransportMetrics(factory: recorder)
    let client = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
    var delays: [Duration] = []
    for try await update in client.updates({ _ in EventSourceRequest(path: "/") }) {
      if case .disconnected(_, _, let delay) = update {
        delays.append(delay)
        clock.skipSleep(of: delay)
      }
      guard case .event(let event, _) = update else { continue }
      if event.data == "5" { break }
      clock.advance(by: .milliseconds(5))
    }
    #expect(recorder.counts(of: "event_source_reconnects") == ["ended": 1, "refused": 1, "lost": 2])
    try #require(delays.count == 4)
    #expect(delays.allSatisfy { $0 > .zero })
    let gaps = [delays[0] + delays[1], delays[2] + delays[3]].map { nanoseconds($0 + .milliseconds(5)) }
    #expect(try recorder.times(of: "event_source_gap", [("outcome", "ended")]) == [gaps[0]])
    #expect(try recorder.times(of: "event_source_gap", [("outcome", "lost")]) == [gaps[1]])
  }
}
