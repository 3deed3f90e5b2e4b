import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RacingTransportTests {
  let clock = ManualClock()

  private func race(_ first: ScriptedTransport, _ second: ScriptedTransport) -> RacingTransport {
    RacingTransport(first: first, second: second, clock: TransportClock(clock), logger: .quiet)
  }

  @Test func theFirstWinsWithinItsHeadStart() async throws {
    let (first, second) = (ScriptedTransport.racer(.http3), ScriptedTransport.racer(.http1))
    let race = race(first, second)
    let info = try await race.connect()
    #expect(info.transport == .http3)
    #expect(info.reason == "HTTP/3 connected after 23 ms")
    #expect(second.connectCount == 0)
    #expect(await race.snapshot()?.connection == info)
  }

  @Test func theSecondWinsWhenTheFirstHangs() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let first = ScriptedTransport.racer(.http3) { _ in
      defer { ended.yield() }
      try await waitForCancellation()
    }
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    let connecting = Task { try await race.connect() }
    await clock.waitForSleep(of: .milliseconds(250))
    #expect(second.connectCount == 0)
    clock.advance(by: .milliseconds(250))
    let info = try await connecting.value
    #expect(info.transport == .http1)
    #expect(info.reason == "HTTP/1.1 connected after 23 ms, before HTTP/3")
    let response = try await race.send(HTTPRequest(path: "/"))
    #expect(response.connection == info)
    #expect(first.requests.isEmpty && second.requests.count == 1)
    // It continues for 3 s, and is then given up.
    await clock.waitForSleep(of: .seconds(3))
    clock.advance(by: .seconds(3))
    for await _ in ends { break }
  }

  @Test func theSecondStartsAtOnceWhenTheFirstFails() async throws {
    let first = ScriptedTransport.racer(.http3) { _ in
      throw TransportError(.connectionRefused, "Nothing listens there.")
    }
    let info = try await race(first, ScriptedTransport.racer(.http1)).connect()
    #expect(info.reason == "HTTP/3 failed: Nothing listens there. HTTP/1.1 connected after 23 ms")
    #expect(clock.now.offset == .zero)
  }

  @Test func bothReasonsAreNamed() async throws {
    let first = ScriptedTransport.racer(.http3) { _ in throw TransportError(.certificateRejected, "Expired.") }
    let second = ScriptedTransport.racer(.http1) { _ in throw TransportError(.connectionRefused, "Refused.") }
    let error = await #expect(throws: TransportError.self) { try await race(first, second).connect() }
    #expect(error?.code == .certificateRejected)
    #expect(error?.message.contains("HTTP/3: Expired.") == true)
    #expect(error?.message.contains("HTTP/1.1: Refused.") == true)
  }

  @Test func aFailedRaceIsRunAgain() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { throw TransportError(.unreachable, "No way.") } }
    let second = ScriptedTransport.racer(.http1) { _ in throw TransportError(.connectionRefused, "Refused.") }
    let race = race(first, second)
    await #expect(throws: TransportError.self) { try await race.connect() }
    #expect(try await race.connect().transport == .http3)
  }

  @Test func aLostWinnerMakesTheNextRequestRaceAgain() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 > 1 { throw TransportError(.unreachable, "No UDP.") } }
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    #expect(try await race.send(HTTPRequest(path: "/")).connection.transport == .http3)
    first.loseConnection()
    #expect(try await race.send(HTTPRequest(path: "/")).connection.transport == .http1)
    #expect(try await race.send(HTTPRequest(path: "/")).connection.transport == .http1)
    #expect(first.connectCount == 2)
  }

  @Test func aRequestThatLosesTheConnectionIsNotRepeatedButTheNextRaces() async throws {
    let first = ScriptedTransport { _ in
      .scripted
    } respond: { received in
      received.number == 1
        ? .failure(TransportError(.connectionLost, "cut")) : .response(HTTPResponse(status: .ok), [.end])
    }
    let race = race(first, ScriptedTransport.racer(.http1))
    let error = await #expect(throws: TransportError.self) { try await race.send(HTTPRequest(path: "/")) }
    #expect(error?.code == .connectionLost)
    #expect(first.requests.count == 1)
    #expect(await race.snapshot() == nil)
    #expect(try await race.send(HTTPRequest(path: "/")).head.status == .ok)
  }

  @Test func manyCallersShareOneRace() async throws {
    let (gates, gate) = AsyncStream.makeStream(of: Void.self)
    let first = ScriptedTransport.racer(.http3) { _ in for await _ in gates { break } }
    let race = race(first, ScriptedTransport.racer(.http1))
    try await withThrowingTaskGroup(of: ConnectionInfo.self) { group in
      for _ in 0..<10 { group.addTask { try await race.connect() } }
      await clock.waitForSleep(of: .milliseconds(250))
      gate.yield()
      for try await info in group { #expect(info.transport == .http3) }
    }
    #expect(first.connectCount == 1)
  }

  @Test func oneWhoLeavesDoesNotEndTheRaceForOthers() async throws {
    let (gates, gate) = AsyncStream.makeStream(of: Void.self)
    let first = ScriptedTransport.racer(.http3) { _ in for await _ in gates { break } }
    let race = race(first, ScriptedTransport.racer(.http1))
    let leaving = Task { try await race.connect() }
    let staying = Task { try await race.connect() }
    await clock.waitForSleep(of: .milliseconds(250))
    leaving.cancel()
    let error = await #expect(throws: TransportError.self) { try await leaving.value }
    #expect(error?.code == .cancelled)
    gate.yield()
    #expect(try await staying.value.transport == .http3)
  }

  @Test func theLastWhoLeavesEndsTheRace() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let first = ScriptedTransport.racer(.http3) { number in
      guard number == 1 else { return }
      defer { ended.yield() }
      try await waitForCancellation()
    }
    let race = race(first, ScriptedTransport.racer(.http1))
    let leaving = Task { try await race.connect() }
    await clock.waitForSleep(of: .milliseconds(250))
    leaving.cancel()
    let error = await #expect(throws: TransportError.self) { try await leaving.value }
    #expect(error?.code == .cancelled)
    for await _ in ends { break }
    #expect(try await race.connect().transport == .http3)
  }

  @Test func closingEndsARaceAndANewOneWorks() async throws {
    let first = ScriptedTransport.racer(.http3) { if $0 == 1 { try await waitForCancellation() } }
    let second = ScriptedTransport.racer(.http1)
    let race = race(first, second)
    let connecting = Task { try await race.connect() }
    await clock.waitForSleep(of: .milliseconds(250))
    await race.close()
    let error = await #expect(throws: TransportError.self) { try await connecting.value }
    #expect(error?.code == .cancelled)
    #expect(try await race.connect().transport == .http3)
    #expect(await race.snapshot() != nil)
  }
}
