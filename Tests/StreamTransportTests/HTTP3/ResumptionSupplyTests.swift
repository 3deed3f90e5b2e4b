import HTTP3Engine
import TestSupport
import Testing
import TransportRecords

@testable import StreamTransport

@Suite struct ResumptionSupplyTests {
  private let store = ResumptionStore.patient
  private let origin = Origin(scheme: .https, host: "example.org", port: 443)
  private var memory: ServerMemory {
    ServerMemory(store: store, origin: origin, clock: TransportClock(ManualClock()))
  }

  private func token(_ number: UInt8) -> RememberedServer {
    var remembered = RememberedServer()
    remembered.token = [number]
    return remembered
  }

  @Test func eachAttemptHasTheNext() async {
    store.setToken([2], for: origin)
    let supply = ResumptionSupply(memory, first: token(1))
    #expect(await supply.take().token == [1])
    #expect(await supply.take().token == [2])
    #expect(await supply.take().token == nil)
  }

  @Test func anAttemptThatDidNotBeginLeavesItsOwnToTheNext() async {
    let supply = ResumptionSupply(memory, first: token(1))
    supply.giveBack(await supply.take())
    #expect(await supply.take().token == [1])
    supply.end()
    #expect(await store.take(origin).token == nil)
  }

  @Test func whatNoAttemptUsedIsKept() async {
    let supply = ResumptionSupply(memory, first: token(1))
    supply.end()
    #expect(await store.take(origin).token == [1])
  }
}
