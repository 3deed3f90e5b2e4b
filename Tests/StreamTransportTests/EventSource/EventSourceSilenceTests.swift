import StreamTransport
import TestSupport
import Testing

/// The rules of a server's silence.
@Suite(.timeLimit(.minutes(10))) struct EventSourceSilenceTests {
  let clock = ManualClock()

  @Test func whatCameAndIsNotReadYetIsNoSilence() async throws {
    let (asked, arrived) = (Gate(), Gate())
    let transport = ScriptedTransport { _ in
      .response(
        EventLogScript.head,
        [
          .bytes(Array(": one\n".utf8)), .wait { await asked.wait() }, .ahead(Array(": two\n".utf8)),
          .wait { arrived.open() },
          .wait { try? await waitForCancellation() },
        ])
    }
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(clock)
    let updates = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      .updates { _ in EventSourceRequest(path: "/events") }
    var seen: [String] = []
    for try await update in updates {
      switch update {
      case .comment(let text): seen.append(text)
      case .disconnected(let reason, _, _): seen.append("\(reason)")
      case .connecting, .opened, .event, .idCommitted: continue
      }
      guard seen.count == 1 else { break }
      // The reader has other things to do for longer than any silence may last.
      await clock.waitForSleep(of: .seconds(25))
      asked.open()
      await arrived.wait()
      clock.advance(by: .seconds(25))
      await clock.waitForSleep(of: .seconds(25))
    }
    #expect(seen.map { $0.trimmingPrefix(" ") } == ["one", "two"])
  }
}
