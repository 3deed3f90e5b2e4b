import EventStream
import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResolveKitEventStreamClientTests {
  private static func stream(_ text: String) -> (HTTPResponse, ResponseBody) {
    var fields = HTTPFields()
    fields[.contentType] = "text/event-stream; charset=utf-8"
    return (HTTPResponse(status: .ok, headerFields: fields), ResponseBody(Array(text.utf8)))
  }

  private static func event(_ id: Int, _ data: String) -> String {
    "id: \(id)\nevent: human_message\ndata: \(data)\n\n"
  }

  private func client(
    _ transport: AnsweringTransport, clock: TransportClock = TransportClock(HastyClock())
  ) throws -> ResolveKitEventStreamClient {
    ResolveKitEventStreamClient(
      baseURL: try #require(URL(string: "https://agent.test/agent")), transport: transport,
      apiKeyProvider: { "rk_1" }, clock: clock, logger: Logger(label: "test"))
  }

  /// Ends each stream after one event; what a reader has not asked past counts as not applied.
  @Test func eachAttemptAsksForWhatFollowsTheLastAppliedEvent() async throws {
    let transport = AnsweringTransport { _, number in Self.stream(Self.event(number, #"{"type":"x"}"#)) }
    var ids: [String] = []
    for try await update in try client(transport).stream(
      eventsPath: "/v1/sessions/s1/events", chatCapabilityToken: "token", cursor: "é 0")
    {
      guard case .event(let event, _) = update else { continue }
      ids.append(event.lastEventID)
      if ids.count == 3 { break }
    }
    #expect(ids == ["1", "2", "3"])
    #expect(
      transport.asked.map { $0.request.path ?? "" } == [
        "/agent/v1/sessions/s1/events?cursor=%C3%A9%200", "/agent/v1/sessions/s1/events?cursor=1",
        "/agent/v1/sessions/s1/events?cursor=2",
      ])
  }

  @Test func eachAttemptAsksForTheTokenAndEachSignOfLifeIsReported() async throws {
    let transport = AnsweringTransport { _, number in
      Self.stream(": here\n\n" + Self.event(number, #"{"type":"x"}"#))
    }
    let tokens = Mutex(0)
    let beats = Mutex(0)
    var count = 0
    let stream = try client(transport).stream(
      eventsPath: "/v1/sessions/s1/events", onHeartbeat: { beats.withLock { $0 += 1 } },
      capabilityProvider: {
        tokens.withLock { tokens in
          tokens += 1
          return "token-\(tokens)"
        }
      })
    for try await case .event in stream {
      count += 1
      if count == 2 { break }
    }
    let name = try #require(HTTPField.Name("x-resolvekit-chat-capability"))
    #expect(transport.asked.map { $0.request.headerFields[name] } == ["token-1", "token-2"])
    #expect(beats.withLock { $0 } == 4)
  }

  /// Silence has one owner: the stream's session leaves the connection, on which a tool's result may be under way.
  @Test func silenceRetiresTheConnectionAndARequestUnderWayOnItContinues() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (releases, release) = AsyncStream<Void>.makeStream()
    let transport = AnsweringTransport { asked, number in
      guard asked.request.method == .post else {
        guard number == 2 else { return Self.stream(Self.event(number, #"{"type":"x"}"#)) }
        return (Self.stream("").0, ResponseBody(BodyChannel()))
      }
      arrived.yield()
      for await _ in releases { break }
      try Task.checkCancellation()
      return (HTTPResponse(status: .ok), ResponseBody(Array("{}".utf8)))
    }
    let post = HTTPRequest(
      method: .post, scheme: "https", authority: "agent.test", path: "/agent/v1/sessions/s1/tool-results")
    let result = Task { try await transport.send(post, body: .none).head.status }
    for await _ in arrivals { break }
    var reasons: [String] = []
    // Silence is over at once; the time for a response is not.
    let clock = TransportClock(InstantClock(upTo: .seconds(27)))
    for try await update in try client(transport, clock: clock).stream(
      eventsPath: "/v1/sessions/s1/events", chatCapabilityToken: "token")
    {
      if case .disconnected(let reason, _, _) = update { reasons.append(reason.description) }
      if case .event = update { break }
    }
    #expect(!reasons.isEmpty && transport.retired == reasons.count)
    release.yield()
    #expect(try await result.value == .ok)
  }

  @Test func firstAttemptWithoutACursorSendsNone() async throws {
    let transport = AnsweringTransport { _, _ in Self.stream(Self.event(1, #"{"type":"x"}"#)) }
    for try await case .event in try client(transport).stream(
      eventsPath: "/v1/sessions/s1/events", chatCapabilityToken: "token")
    { break }
    let request = try #require(transport.asked.first).request
    #expect(request.path == "/agent/v1/sessions/s1/events")
    #expect(request.headerFields[.authorization] == "Bearer rk_1")
    let name = try #require(HTTPField.Name("x-resolvekit-chat-capability"))
    #expect(request.headerFields[name] == "token")
  }

  @Test func poisonIsPassedAndNeverAskedForAgain() async throws {
    let transport = AnsweringTransport { _, number in
      switch number {
      case 1: Self.stream(Self.event(7, "{ nonsense"))
      default: Self.stream(Self.event(8, #"{"type":"human_message","payload":{"text":"hi"}}"#))
      }
    }
    var unreadable: [String] = []
    var readable: [ResolveKitEnvelope] = []
    for try await update in try client(transport).stream(
      eventsPath: "/v1/sessions/s1/events", chatCapabilityToken: "token")
    {
      guard case .event(let event, _) = update else { continue }
      do { readable.append(try event.envelope()) } catch { unreadable.append(event.lastEventID) }
      if !readable.isEmpty { break }
    }
    #expect(unreadable == ["7"])
    #expect(readable.map(\.type) == ["human_message"])
    #expect(transport.asked.last?.request.path?.hasSuffix("?cursor=7") == true)
  }

  @Test(arguments: [401, 403, 404, 410, 422])
  func refusalEndsTheStreamWithTheServersWords(status: Int) async throws {
    let transport = AnsweringTransport(status: status, #"{"detail":"no such thing"}"#)
    let stream = try client(transport).stream(eventsPath: "/v1/sessions/s1/events", chatCapabilityToken: "token")
    let error = await #expect(throws: ResolveKitAPIClientError.self) { for try await _ in stream {} }
    #expect(error?.statusCode == status)
    #expect(transport.asked.count == 1)
  }

  @Test func theServersCodeOfARefusalIsKeptBesideTheError() async throws {
    let transport = AnsweringTransport(status: 410, #"{"detail":{"code":"cursor_expired","message":"too old"}}"#)
    var updates = try client(transport).stream(
      eventsPath: "/v1/sessions/s1/events", chatCapabilityToken: "token", cursor: "1"
    ).makeAsyncIterator()
    do {
      while try await updates.next() != nil {}
      Issue.record("the stream was not refused")
    } catch let error as ResolveKitAPIClientError {
      #expect(error == .serverError(statusCode: 410, message: "too old"))
    }
    #expect(updates.refusalCode == "cursor_expired")
  }
}

/// Back-offs after up to four failures end at once; longer waits, such as the watchdog's, last until they are cancelled.
struct HastyClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant(offset: .zero) }
  let minimumResolution: Duration = .nanoseconds(1)

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    guard deadline.offset > .seconds(20) else { return await Task.yield() }
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    _ = continuation
    throw CancellationError()
  }
}
