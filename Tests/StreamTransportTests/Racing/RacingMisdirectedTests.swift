import HTTPTypes
import StreamTransport
import TestSupport
import Testing
import TransportPolicy

/// A server that is not one for the origin (421, RFC 9110 § 15.5.20).
@Suite(.timeLimit(.minutes(10))) struct RacingMisdirectedTests {
  private let memory = OriginStore(file: nil, now: { 1_767_225_600 })

  private func race(_ first: ScriptedTransport) -> RacingTransport {
    RacingTransport(
      first: first, second: ScriptedTransport.racer(.http1), memory: memory, network: { "home" },
      clock: TransportClock(ManualClock()), logger: .quiet)
  }

  @Test func aMisdirectedRequestEndsTheAlternative() async throws {
    memory.update { memory, now in
      memory.learn(AltSvc(#"h3=":8443""#), from: "https://script.test", on: "home", now: now)
    }
    let first = ScriptedTransport(onConnect: { _ in
      ConnectionInfo(transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .milliseconds(23))
    }) { received in
      .response(HTTPResponse(status: received.number == 1 ? .misdirectedRequest : .ok), [.end])
    }
    let race = race(first)
    let response = try await race.send(HTTPRequest(.post, path: "/"), body: .bytes([1]))
    #expect(response.head.status == .ok)
    #expect(first.requests.map(\.body) == [[1], [1]])
    #expect(first.retireCount == 1 && first.connectCount == 2 && first.alternative == nil)
    #expect(memory.read { memory, now in memory.alternative(for: "https://script.test", on: "home", now: now) } == nil)
  }

  /// A body that was read from its source is not there a second time; and the origin's own answer is meant.
  @Test(arguments: [true, false]) func aMisdirectedRequestThatCannotGoElsewhereIsAnswered(hasOffer: Bool) async throws {
    if hasOffer {
      memory.update { memory, now in
        memory.learn(AltSvc(#"h3=":8443""#), from: "https://script.test", on: "home", now: now)
      }
    }
    let first = ScriptedTransport.racer(.http3, status: .misdirectedRequest)
    let race = race(first)
    let body: RequestBody = hasOffer ? .stream(Chunks([[1]])) : .bytes([1])
    #expect(try await race.send(HTTPRequest(.post, path: "/"), body: body).head.status == .misdirectedRequest)
    #expect(first.requests.count == 1)
    // The connection is left in the background.
    while hasOffer, first.retireCount == 0 { await Task.yield() }
    #expect(first.retireCount == (hasOffer ? 1 : 0))
  }

  /// Requests that were on their way together: each is sent to the origin, which is left once.
  @Test func allThatTheAlternativeMisdirectsGoesToTheOrigin() async throws {
    memory.update { memory, now in
      memory.learn(AltSvc(#"h3=":8443""#), from: "https://script.test", on: "home", now: now)
    }
    let gate = Gate()
    let first = ScriptedTransport(onConnect: { _ in
      ConnectionInfo(transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .milliseconds(23))
    }) { received in
      if received.number == 2 { gate.open() }
      await gate.wait()
      return .response(HTTPResponse(status: received.number <= 2 ? .misdirectedRequest : .ok), [.end])
    }
    let race = race(first)
    _ = try await race.connect()
    async let one = race.send(HTTPRequest(path: "/1"))
    async let other = race.send(HTTPRequest(path: "/2"))
    #expect(try await one.head.status == .ok)
    #expect(try await other.head.status == .ok)
    #expect(first.retireCount == 1)
    #expect(first.requests.count == 4)
  }

  /// Alternatives offered since say nothing about where this connection went.
  @Test func theOriginsOwnAnswerIsMeantWhateverItHasOffered() async throws {
    let first = ScriptedTransport.racer(.http3, status: .misdirectedRequest)
    let race = race(first)
    _ = try await race.connect()
    memory.update { memory, now in
      memory.learn(AltSvc(#"h3=":8443""#), from: "https://script.test", on: "home", now: now)
    }
    #expect(try await race.send(HTTPRequest(.post, path: "/"), body: .bytes([1])).head.status == .misdirectedRequest)
    #expect(first.requests.count == 1 && first.retireCount == 0)
    #expect(memory.read { memory, now in memory.alternative(for: "https://script.test", on: "home", now: now) } != nil)
  }
}
