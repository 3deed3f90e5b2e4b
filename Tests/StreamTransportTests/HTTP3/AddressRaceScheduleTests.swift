import HTTP3Engine
import Synchronization
import TestSupport
import Testing

@testable import StreamTransport

/// The race between a host's addresses, in virtual time and without sockets.
@Suite(.timeLimit(.minutes(10))) struct AddressRaceScheduleTests {
  private let clock = ManualClock()
  private let begun = Begun()

  /// The ports that were tried, in order.
  private final class Begun: Sendable {
    private let ports = Mutex<[UInt16]>([])
    var all: [UInt16] { ports.withLock { $0 } }
    func add(_ port: UInt16) { ports.withLock { $0.append(port) } }
  }

  private func race(
    _ ports: ClosedRange<UInt16>, discarded: Begun = Begun(),
    _ connect: @escaping @Sendable (UInt16) async throws(TransportError) -> Void
  ) -> AddressRace<UInt16> {
    AddressRace(
      addresses: ports.map { .loopback(port: $0) }, delay: .milliseconds(250), clock: TransportClock(clock),
      connect: { [begun] (address) async throws(TransportError) in
        begun.add(address.port)
        try await connect(address.port)
        return address.port
      }, discard: { discarded.add($0) })
  }

  private static func hang() async throws(TransportError) {
    do { try await waitForCancellation() } catch { throw TransportError(.cancelled, "Cancelled.", cause: error) }
  }

  @Test func eachAddressHasAHeadStartOverTheNext() async throws {
    let race = race(1...3) { (port) async throws(TransportError) in if port < 3 { try await Self.hang() } }
    async let winner = race.run()
    await clock.waitForSleep(of: .milliseconds(250))
    clock.advance(by: .milliseconds(249))
    await clock.waitForSleep(of: .milliseconds(1))
    #expect(!begun.all.contains(2))
    clock.advance(by: .milliseconds(1))
    await clock.waitForSleep(of: .milliseconds(250))
    #expect(!begun.all.contains(3))
    clock.advance(by: .milliseconds(250))
    #expect(try await winner == 3)
    #expect(Set(begun.all) == [1, 2, 3] && clock.now.offset == .milliseconds(500))
  }

  @Test func aFailureEndsTheHeadStart() async throws {
    let race = race(1...3) { (port) async throws(TransportError) in
      if port < 3 { throw TransportError(.connectionRefused, "Refused.") }
    }
    #expect(try await race.run() == 3)
    #expect(begun.all == [1, 2, 3] && clock.now.offset == .zero)
  }

  @Test func theErrorThatSaysMostOfTheServerIsThrown() async {
    let codes: [TransportError.Code] = [.unreachable, .certificateRejected, .connectTimeout]
    let race = race(0...2) { (port) async throws(TransportError) in throw TransportError(codes[Int(port)], "No.") }
    let error = await #expect(throws: TransportError.self) { try await race.run() }
    #expect(error?.code == .certificateRejected)
  }

  @Test func aConnectionThatComesTooLateIsClosed() async throws {
    let (discarded, gate) = (Begun(), Gate())
    let race = race(1...2, discarded: discarded) { (port) async throws(TransportError) in
      // The first does not heed that it was given up.
      if port == 1 { await gate.wait() } else { gate.open() }
    }
    async let winner = race.run()
    await clock.waitForSleep(of: .milliseconds(250))
    clock.advance(by: .milliseconds(250))
    let port = try await winner
    #expect(Set([port] + discarded.all) == [1, 2], "One is used, the other closed.")
  }

  @Test func aHostWithoutAddressesHasNone() async {
    let race = AddressRace<UInt16>(
      addresses: [], delay: .zero, clock: TransportClock(clock),
      connect: { (address) async throws(TransportError) in address.port }, discard: { _ in })
    let error = await #expect(throws: TransportError.self) { try await race.run() }
    #expect(error?.code == .nameNotFound)
  }
}
