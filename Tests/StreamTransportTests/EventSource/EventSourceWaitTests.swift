import EventStream
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// The time between an end and the next attempt.
@Suite(.timeLimit(.minutes(10))) struct EventSourceWaitTests {
  private let clock = ManualClock()

  private func client(
    _ transport: ScriptedTransport, _ change: (inout EventSourceConfiguration) -> Void = { _ in }
  ) -> EventSourceUpdates {
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(clock)
    configuration.makeGenerator = { SeededGenerator(seed: 1) }
    change(&configuration)
    return EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      .updates { _ in EventSourceRequest(path: "/events") }
  }

  private func text(_ string: String) -> ScriptedTransport.Step { .bytes(Array(string.utf8)) }

  private static let goodbyes = [
    TransportError(.connectionLost, "Closed.", wireCode: "H3_NO_ERROR"),
    TransportError(.connectionLost, "Closed.", wireCode: "NO_ERROR"), TransportError(.notProcessed, "Going away."),
  ]

  private func delay(after error: TransportError, uptime: Duration) async throws -> Duration? {
    let clock = clock
    let transport = ScriptedTransport { _ in
      .response(EventLogScript.head, [text(":\n"), .wait { clock.advance(by: uptime) }, .cut(error)])
    }
    for try await update in client(transport) {
      if case .disconnected(_, _, let delay) = update { return delay }
    }
    return nil
  }

  @Test(arguments: goodbyes)
  func aServerThatLeavesAHealthyStreamIsSoughtAlmostAtOnce(_ error: TransportError) async throws {
    #expect(try #require(await delay(after: error, uptime: .seconds(10))) <= .milliseconds(250))
    #expect(try #require(await delay(after: error, uptime: .seconds(1))) >= .seconds(1))
  }

  @Test(arguments: [
    TransportError(.connectionLost, "Reset."), TransportError(.streamReset, "Reset.", wireCode: "H3_INTERNAL_ERROR"),
    TransportError(.idleTimeout, "Silence."),
  ])
  func aHealthyStreamThatIsLostStillWaits(_ error: TransportError) async throws {
    #expect(try #require(await delay(after: error, uptime: .seconds(10))) >= .seconds(1))
  }

  @Test func waitsUntilTheDateOfRetryAfterByTheServersClock() async throws {
    let transport = ScriptedTransport { _ in
      .response(
        HTTPResponse(
          status: .serviceUnavailable,
          headerFields: [.retryAfter: "Sun, 06 Nov 1994 08:50:17 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"]), [.end])
    }
    for try await update in client(transport) {
      guard case .disconnected(_, _, let delay) = update else { continue }
      #expect(delay >= .seconds(40) && delay <= .seconds(50))
      break
    }
  }

  /// A row whose attempt is refused while a caller is in haste: the next attempt begins after `wait`.
  struct Haste: CustomTestStringConvertible, Sendable {
    var fields: HTTPFields = [:]
    /// From the attempt's beginning to its end.
    var attempt: Duration
    var wait: Duration
    var testDescription: String { "\(attempt) \(wait)" }
  }

  @Test(arguments: [
    Haste(attempt: .zero, wait: .seconds(1)), Haste(attempt: .milliseconds(400), wait: .milliseconds(600)),
    Haste(attempt: .seconds(7), wait: .zero),
    Haste(fields: [.retryAfter: "40"], attempt: .seconds(7), wait: .seconds(40)),
  ])
  func hasteShortensTheWaitAsFarAsItMay(_ row: Haste) async throws {
    let clock = clock
    let transport = ScriptedTransport { received in
      guard received.number > 1 else {
        clock.advance(by: row.attempt)
        return .response(HTTPResponse(status: .serviceUnavailable, headerFields: row.fields), [.end])
      }
      return .response(HTTPResponse(status: .noContent), [.end])
    }
    var updates = client(transport) { $0.backoff = BackoffConfiguration(base: .seconds(20), ceiling: .seconds(50)) }
      .makeAsyncIterator()
    var wait: Duration?
    while let update = try await updates.next() {
      guard case .disconnected(_, _, let delay) = update else { continue }
      #expect(delay > row.wait)
      let (other, now) = (updates, clock.now)
      Task {
        // Before it is waited for and while it is.
        await clock.waitForSleep(of: delay)
        if row.wait > .zero { clock.skipSleep(of: row.wait) }
        await other.retryNow()
      }
      while let next = try await updates.next() {
        if case .connecting = next { wait = now.duration(to: clock.now) }
      }
    }
    #expect(wait == row.wait)
    #expect(transport.requests.count == 2)
  }

  @Test func hasteBeforeTheWaitCountsToo() async throws {
    let clock = clock
    let transport = ScriptedTransport { received in
      clock.advance(by: .seconds(2))
      return .response(HTTPResponse(status: received.number > 1 ? .noContent : .serviceUnavailable), [.end])
    }
    var updates = client(transport).makeAsyncIterator()
    while let update = try await updates.next() {
      if case .disconnected = update { await updates.retryNow() }
    }
    #expect(clock.now.offset == .seconds(4))
    #expect(transport.requests.count == 2)
  }

  @Test func hasteCountsWhileADeadConnectionIsLeft() async throws {
    let clock = clock
    let reader = Mutex<EventSourceUpdates.Iterator?>(nil)
    let transport = ScriptedTransport(onRetire: { await reader.withLock { $0 }?.retryNow() }) { _ in
      Task {
        await clock.waitForSleep(of: .seconds(30))
        clock.advance(by: .seconds(30))
      }
      return .never
    }
    var updates = client(transport) { $0.responseTimeout = .seconds(30) }.makeAsyncIterator()
    reader.withLock { [updates] in $0 = updates }
    var wait: Duration?
    while wait == nil, let update = try await updates.next() {
      if case .disconnected(_, _, let delay) = update { wait = delay }
    }
    #expect(wait == .zero)
    #expect(transport.retireCount == 1)
  }

  @Test func hasteLeavesAnOpenStreamAlone() async throws {
    let transport = ScriptedTransport { _ in .response(EventLogScript.head, [text("data: 1\n\n"), text("data: 2\n\n")])
    }
    var updates = client(transport).makeAsyncIterator()
    var data: [String] = []
    while data.count < 2, let update = try await updates.next() {
      await updates.retryNow()
      if case .event(let event, _) = update { data.append(event.data) }
    }
    #expect(data == ["1", "2"])
    #expect(transport.requests.count == 1)
  }
}
