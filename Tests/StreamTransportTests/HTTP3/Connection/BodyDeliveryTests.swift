import HTTP3Engine
import Testing

@testable import StreamTransport

@Suite struct BodyDeliveryTests {
  private static let now = Timestamp(nanoseconds: 1_000_000_000)
  private let bodies = BodyDelivery<StreamID>(responsesOf: 1 << 20)

  private func taken(_ bodies: inout BodyDelivery<StreamID>) -> [StreamID: Int] {
    var taken: [StreamID: Int] = [:]
    bodies.takeCredit { taken[$0, default: 0] += $1 }
    return taken
  }

  @Test func whatReadersTookIsCreditOnce() {
    var bodies = bodies
    #expect(taken(&bodies).isEmpty)
    _ = bodies.ledger.add(3, on: StreamID(0))
    _ = bodies.ledger.add(4, on: StreamID(0))
    _ = bodies.ledger.add(5, on: StreamID(4))
    #expect(taken(&bodies) == [StreamID(0): 7, StreamID(4): 5])
    #expect(taken(&bodies).isEmpty)
  }

  @Test func aFewBytesReachTheirReaderAtOnce() async throws {
    var bodies = bodies
    let body = BodyChannel()
    bodies.receive([1, 2], for: body)
    #expect(bodies.wakeReaders(at: Self.now) == nil)
    body.finish()
    #expect(try await ResponseBody(body).collect(upTo: 10) == [1, 2])
  }
}
