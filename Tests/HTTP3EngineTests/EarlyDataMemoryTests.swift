import TestSupport
import Testing

@testable import HTTP3Engine

/// The memory that keeps a server from taking the same early data twice, and its bound.
@Suite struct EarlyDataMemoryTests {
  private static let lifetime = Int(SessionTickets.lifetime)

  private static func name(_ number: UInt64) -> EarlyDataMemory.Name {
    EarlyDataMemory.Name(first: 7, second: number)
  }

  @Test func aFullMemoryTakesNoneAndStillKnowsTheOthers() {
    let memory = EarlyDataMemory(capacity: 3)
    let end = 1_000_000
    for number in 1...3 as ClosedRange<UInt64> { #expect(memory.remember(Self.name(number), until: end) == .new) }
    #expect(memory.remember(Self.name(4), until: end) == .full)
    #expect(memory.remember(Self.name(4), until: end + 1) == .full)
    for number in 1...3 as ClosedRange<UInt64> { #expect(memory.remember(Self.name(number), until: end) == .replayed) }
  }

  /// Only what ended before now makes room; what is remembered until later stays.
  @Test func whatHasEndedMakesRoom() {
    let memory = EarlyDataMemory(capacity: 3)
    let end = 1_000_000
    for number in 0..<3 as Range<UInt64> {
      #expect(memory.remember(Self.name(number), until: end + Int(number) * 100) == .new)
    }
    // Now is the end of the first one: it is not over.
    #expect(memory.remember(Self.name(3), until: end + Self.lifetime) == .full)
    #expect(memory.remember(Self.name(3), until: end + Self.lifetime + 1) == .new)
    #expect(memory.remember(Self.name(4), until: end + Self.lifetime + 100) == .full)
    for number in 1...3 as ClosedRange<UInt64> {
      #expect(memory.remember(Self.name(number), until: end + Self.lifetime + 100) == .replayed)
    }
    #expect(memory.remember(Self.name(0), until: end + Self.lifetime + 101) == .new)
  }

  /// Over the wire: the handshake continues, and the requests are served after it, once.
  @Test func clientsBeyondTheBoundAreServedWithoutEarlyData() throws {
    let pair = try QUICPair.make(server: { $0.earlyDataMemory = 2 })
    let server = EchoServer(on: pair)
    var client = RequestClient(on: pair)
    try pair.run { client.tickets.count >= 2 }
    for number in 1...4 {
      let ticket = try #require(client.tickets.last)
      pair.client.close(.noError, reason: "", at: pair.now)
      try pair.run(for: .seconds(2))
      try pair.replaceClient(QUICPair.clientConfiguration { $0.ticket = ticket })
      client = RequestClient(on: pair)
      client.repeatsRefusedRequests = true
      client.send("GET", "/bytes/10")
      try pair.run { client.isDone && client.tickets.count >= 2 }
      #expect(client.handshake?.isResumed == true)
      #expect(client.handshake?.earlyData == (number <= 2 ? .accepted : .rejected))
      #expect(client.answers[0].body == EchoServer.pattern(10))
      #expect(server.requests.count == number)
    }
    #expect(server.earlyRequests == 2)
    #expect(pair.server.unrememberedHandshakes == 2)
  }
}
