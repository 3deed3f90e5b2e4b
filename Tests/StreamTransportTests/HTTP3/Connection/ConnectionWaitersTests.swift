import Testing

@testable import StreamTransport

@Suite struct ConnectionWaitersTests {
  private let waiters = ConnectionWaiters()

  @Test func eachWaitsForNewsOfItsOwn() async throws {
    var waiters = waiters
    let (recovery, departure) = (waiters.awaitRecovery(), waiters.awaitDeparture())
    waiters.pathAnswered()
    try await recovery.value()
    waiters.depart(.silence)
    waiters.depart(.retirement)
    #expect(try await departure.value() == .silence)
  }

  @Test func theEndIsNewsForAll() async {
    var waiters = waiters
    let (recovery, departure) = (waiters.awaitRecovery(), waiters.awaitDeparture())
    waiters.end(TransportError(.connectionLost, "gone"))
    await #expect(throws: TransportError.self) { try await recovery.value() }
    await #expect(throws: TransportError.self) { _ = try await departure.value() }
  }

  @Test func aTaskThatLeftIsNotAnswered() {
    var waiters = waiters
    let (recovery, departure) = (waiters.awaitRecovery(), waiters.awaitDeparture())
    waiters.remove(recovery)
    waiters.remove(departure)
    waiters.end(TransportError(.connectionLost, "gone"))
    #expect(recovery.answer(.success(())) && departure.answer(.success(.silence)), "Nobody had answered them.")
  }
}
