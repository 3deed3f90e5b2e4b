import EventStream
import HTTPTypes
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventSourceClientTests {
  let clock = ManualClock()

  private func client(
    _ transport: ScriptedTransport, _ change: (inout EventSourceConfiguration) -> Void = { _ in }
  ) -> EventSourceUpdates {
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(clock)
    configuration.makeGenerator = { SeededGenerator(seed: 1) }
    change(&configuration)
    return EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      .updates { _ in EventSourceRequest(path: "/events", fields: [.authorization: "Bearer t"]) }
  }

  private func text(_ string: String) -> ScriptedTransport.Step { .bytes(Array(string.utf8)) }

  @Test func tellsEachStepInOrder() async throws {
    let transport = ScriptedTransport { _ in
      .response(EventLogScript.head, [text(": hi\n\nid: 1\ndata: x\n\nid: 2\n\n"), .end])
    }
    var seen: [String] = []
    for try await update in client(transport) {
      switch update {
      case .connecting(let attempt): seen.append("connecting \(attempt)")
      case .opened(let info): seen.append("opened \(info.transport.rawValue)")
      case .event(let event, let time): seen.append("event \(event.data) \(time > 0)")
      case .comment(let text): seen.append("comment \(text)")
      case .idCommitted(let id): seen.append("id \(id)")
      case .disconnected(_, let isClean, let delay): seen.append("disconnected \(isClean) \(delay >= .seconds(1))")
      }
      if seen.last?.hasPrefix("disconnected") == true { break }
    }
    #expect(
      seen == ["connecting 1", "opened h1", "comment hi", "event x true", "id 2", "disconnected true true"])
    let fields = try #require(transport.requests.first).request.headerFields
    #expect(fields[.accept] == "text/event-stream")
    #expect(fields[.acceptEncoding] == "identity")
    #expect(fields[.cacheControl] == "no-cache")
    #expect(fields[.priority] == "u=2, i")
    #expect(fields[.authorization] == "Bearer t")
  }

  @Test func makesANewRequestForEachAttempt() async throws {
    let transport = ScriptedTransport { received in
      .response(
        HTTPResponse(status: received.number < 4 ? .serviceUnavailable : .noContent), [.end])
    }
    let source = EventSourceClient(
      transport: transport, configuration: configuration(), logger: .quiet
    ).updates { attempt in EventSourceRequest(path: "/token-\(attempt.number)") }
    for try await update in source {
      if case .disconnected(_, _, let delay) = update { clock.skipSleep(of: delay) }
    }
    #expect(transport.requests.map(\.request.path) == ["/token-1", "/token-2", "/token-3", "/token-4"])
  }

  private func configuration() -> EventSourceConfiguration {
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(clock)
    return configuration
  }

  @Test func waitsAsLongAsRetryAfterSays() async throws {
    let name = try #require(HTTPField.Name("retry-after"))
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .tooManyRequests, headerFields: [name: "40"]), [.end])
    }
    for try await update in client(transport) {
      guard case .disconnected(let reason, _, let delay) = update else { continue }
      #expect(delay >= .seconds(40))
      guard case .status(429, _) = reason else { throw reason }
      break
    }
  }

  @Test func givesAStatusThatWillNotPassToTheCaller() async throws {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .gone), [text("{\"detail\":"), text("\"expired\"}"), .end])
    }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .status(410, let body)? = error else { throw try #require(error) }
    #expect(String(decoding: body, as: UTF8.self) == "{\"detail\":\"expired\"}")
    #expect(transport.requests.count == 1)
  }

  @Test func keepsOnlyTheBeginningOfALargeErrorBody() async throws {
    let transport = ScriptedTransport { _ in
      .response(
        HTTPResponse(status: .forbidden), Array(repeating: .bytes([UInt8](repeating: 65, count: 1_000)), count: 1_000))
    }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .status(403, let body)? = error else { throw try #require(error) }
    #expect(body.count == 16 << 10)
    #expect(transport.cancelledBodies == 1)
  }

  @Test(arguments: [nil, "text/html", "text/event-streamx", "application/json; text/event-stream"])
  func refusesWhatIsNoEventStream(type: String?) async throws {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .ok, headerFields: type.map { [.contentType: $0] } ?? [:]), [.end])
    }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .contentType(let found)? = error else { throw try #require(error) }
    #expect(found == type)
  }

  @Test(arguments: [301, 302, 303, 307, 308], ["/moved?a=b", "https://script.test/moved?a=b", "moved?a=b"])
  func followsRedirectsToTheSameOrigin(status: Int, location: String) async throws {
    let transport = ScriptedTransport { received in
      received.number == 1
        ? .response(HTTPResponse(status: .init(code: status), headerFields: [.location: location]), [.end])
        : .response(HTTPResponse(status: .noContent), [.end])
    }
    for try await _ in client(transport) {}
    #expect(transport.requests.map(\.request.path) == ["/events", "/moved?a=b"])
  }

  @Test(arguments: ["https://other.test/", "http://script.test/", "https://script.test:444/", "", "//evil.test/x"])
  func refusesRedirectsToElsewhere(location: String) async throws {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .temporaryRedirect, headerFields: [.location: location]), [.end])
    }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .redirect? = error else { throw try #require(error) }
    #expect(transport.requests.count == 1)
  }

  @Test func endsACircleOfRedirects() async throws {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .found, headerFields: [.location: "/events"]), [.end])
    }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .redirect? = error else { throw try #require(error) }
    #expect(transport.requests.count == 6)
  }

  @Test func silenceEndsAStreamAndAnyByteDefersIt() async throws {
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport { _ in
      .response(
        EventLogScript.head,
        [text(":\n"), .wait { for await _ in steps { break } }, text(": still here\n"), .wait { await Self.forever() }])
    }
    var disconnected: EventSourceError?
    var comments = 0
    for try await update in client(transport) {
      if case .comment = update {
        comments += 1
        if comments == 1 {
          await clock.waitForSleep(of: .seconds(25))
          clock.advance(by: .seconds(20))
          step.yield()
        } else {
          let clock = clock
          Task {
            // The watchdog first wakes at its old deadline, and sleeps on for what the comment deferred.
            clock.advance(by: .seconds(5))
            await clock.waitForSleep(of: .seconds(20))
            clock.advance(by: .seconds(20))
          }
        }
      }
      if case .disconnected(let reason, _, _) = update {
        disconnected = reason
        break
      }
    }
    guard case .idle? = disconnected else { throw try #require(disconnected) }
    #expect(comments == 2)
    #expect(clock.now.offset == .seconds(45))
  }

  private static func forever() async {
    let (never, keep) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    withExtendedLifetime(keep) {}
  }

  @Test func aServerThatDoesNotAnswerIsLeft() async throws {
    let transport = ScriptedTransport { _ in .never }
    let clock = clock
    Task {
      await clock.waitForSleep(of: .seconds(30))
      clock.advance(by: .seconds(30))
    }
    for try await update in client(transport) {
      guard case .disconnected(let reason, false, _) = update else { continue }
      guard case .noResponse = reason else { throw reason }
      break
    }
  }

  @Test func leavingTheSequenceCancelsTheStream() async throws {
    let transport = ScriptedTransport { _ in
      .response(EventLogScript.head, [text("data: 1\n\n"), .wait { await Self.forever() }])
    }
    for try await update in client(transport) {
      if case .event = update { break }
    }
    #expect(transport.cancelledBodies == 1)
  }

  @Test func cancellingTheReaderEndsTheSequence() async throws {
    let (opens, opened) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport { _ in .response(EventLogScript.head, [.wait { await Self.forever() }]) }
    let updates = client(transport)
    let reader = Task {
      for try await update in updates {
        if case .opened = update { opened.yield() }
      }
    }
    for await _ in opens { break }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(transport.requests.count == 1)
  }

  @Test func aLineWithoutEndIsAClearErrorAndBounded() async throws {
    let chunk = [UInt8](repeating: 120, count: 64 << 10)
    let taken = Counter()
    let steps =
      [text("data: ")]
      + (0..<1_600).flatMap { _ in
        [.wait { taken.add() }, .bytes(chunk)] as [ScriptedTransport.Step]
      }
    let transport = ScriptedTransport { _ in .response(EventLogScript.head, steps) }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .limit(let limit)? = error else { throw try #require(error) }
    #expect(limit.code == .lineTooLong)
    // 16 MiB are 256 chunks: what comes after the limit is not taken any more.
    #expect(taken.count <= 260)
    #expect(transport.requests.count == 1)
  }

  @Test func eventsBeforeALimitAreDelivered() async throws {
    let transport = ScriptedTransport { _ in
      .response(EventLogScript.head, [text("data: a\n\ndata: " + String(repeating: "b", count: 100) + "\n\n")])
    }
    var seen: [String] = []
    let updates = client(transport) { $0.limits.line = 50 }
    await #expect(throws: EventSourceError.self) {
      for try await update in updates {
        if case .event(let event, _) = update { seen.append(event.data) }
      }
    }
    #expect(seen == ["a"])
  }

  @Test func aRejectedCertificateIsNotTriedAgain() async throws {
    let transport = ScriptedTransport { _ in .failure(TransportError(.certificateRejected, "expired")) }
    let error = await #expect(throws: EventSourceError.self) { for try await _ in client(transport) {} }
    guard case .transport(let cause)? = error else { throw try #require(error) }
    #expect(cause.code == .certificateRejected)
    #expect(transport.requests.count == 1)
  }

  @Test func anErrorOfTheRequestMakerComesThrough() async throws {
    struct NoToken: Error {}
    let transport = ScriptedTransport { _ in .never }
    let updates = EventSourceClient(transport: transport, configuration: configuration(), logger: .quiet)
      .updates { _ in throw NoToken() }
    await #expect(throws: NoToken.self) { for try await _ in updates {} }
  }

  @Test func aServerThatAcceptsAndClosesIsAskedLessAndLess() async throws {
    let transport = ScriptedTransport { _ in .response(EventLogScript.head, [.end]) }
    for try await update in client(transport) {
      guard case .disconnected(_, _, let delay) = update else { continue }
      clock.skipSleep(of: delay)
      if transport.requests.count == 40 { break }
    }
    #expect(clock.now.offset > .seconds(200))
  }

  @Test func aHealthyStreamThatEndsIsResumedAtOnce() async throws {
    let clock = clock
    let transport = ScriptedTransport { received in
      .response(
        EventLogScript.head,
        [text("id: \(received.number)\ndata:\n\n"), .wait { clock.advance(by: .seconds(10)) }, .end])
    }
    for try await update in client(transport) {
      guard case .disconnected(_, let isClean, let delay) = update else { continue }
      #expect(isClean && delay == .zero)
      if transport.requests.count == 3 { break }
    }
    let name = try #require(HTTPField.Name("last-event-id"))
    #expect(transport.requests.map { $0.request.headerFields[name] } == [nil, "1", "2"])
  }
}
