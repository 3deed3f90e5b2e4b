import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

@Suite struct WithTransportTests {
  private struct Failure: Error, Equatable {}

  private let transport = ScriptedTransport { _ in .never }

  @Test func closesAfterItsBodyHasReturned() async throws {
    let value = await withTransport(transport) { transport in
      #expect(transport.closeCount == 0)
      return 7
    }
    #expect(value == 7)
    #expect(transport.closeCount == 1)
  }

  @Test func closesAfterItsBodyHasThrown() async throws {
    await #expect(throws: Failure()) {
      try await withTransport(transport) { _ in throw Failure() }
    }
    #expect(transport.closeCount == 1)
  }

  @Test func passesATypedErrorOn() async {
    do throws(Failure) {
      try await withTransport(transport) { (_) throws(Failure) in throw Failure() }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == Failure())
    }
  }

  /// The scripted server never answers: only the cancellation ends the request.
  @Test(.timeLimit(.minutes(10))) func closesAfterItsTaskWasCancelled() async {
    let begun = Gate()
    let task = Task { [transport] in
      try await withTransport(transport) { transport in
        begun.open()
        _ = try await transport.send(HTTPRequest(path: "/"))
      }
    }
    await begun.wait()
    #expect(transport.closeCount == 0)
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(transport.closeCount == 1)
  }

  /// The body may use what belongs to the caller's actor alone.
  @MainActor @Test func staysOnTheCallersActor() async {
    final class Counter { var count = 0 }
    let counter = Counter()
    await withTransport(transport) { _ in
      MainActor.assertIsolated()
      counter.count += 1
    }
    #expect(counter.count == 1)
  }
}
