import HTTPTypes
import MetricsTestKit
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RaceMetricsTests {
  private func transport(_ kind: TransportKind, isReachable: Bool) -> ScriptedTransport {
    ScriptedTransport { _ in
      guard isReachable else { throw TransportError(.unreachable, "No way.") }
      return ConnectionInfo(transport: kind, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .zero)
    } respond: { _ in
      .response(HTTPResponse(status: .ok), [.end])
    }
  }

  @Test(arguments: [(true, true, "h3"), (false, true, "h1"), (false, false, "none")])
  func aRaceIsCountedByItsWinner(first: Bool, second: Bool, winner: String) async throws {
    let recorder = TestMetrics()
    let race = RacingTransport(
      first: transport(.http3, isReachable: first), second: transport(.http1, isReachable: second),
      clock: TransportClock(ManualClock()), logger: .quiet, metrics: TransportMetrics(factory: recorder))
    _ = try? await race.connect()
    // The winner is there, so no race is run.
    if winner != "none" { _ = try await race.send(HTTPRequest(path: "/")) }
    #expect(recorder.counts(of: "races") == [winner: 1])
  }
}
