import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import JSONService

/// The reading of whole bodies.
@Suite(.timeLimit(.minutes(5)))
struct BodyBudgetTests {
  private struct BrokenOff: Error {}

  private static func request(_ body: RequestBody) -> Request {
    Request(head: HTTPRequest(method: .post, scheme: "https", authority: "localhost", path: "/"), body: body)
  }

  private static func request(bytes: Int) -> Request {
    request(RequestBody(buffer: ByteBuffer(repeating: 0x20, count: bytes)))
  }

  @Test func onlySmallBodiesAreTakenWhereThereIsNoRoom() async throws {
    let budget = BodyBudget(bytes: 100 << 10)
    var crowd: [BodyBudget.Share] = [budget.share()]
    #expect(crowd[0].grow(by: 100 << 10))
    #expect(!crowd[0].grow(by: 1))
    let small = try await Self.request(bytes: BodyBudget.small).bytes(upTo: 1 << 20, of: budget)
    #expect(small?.count == BodyBudget.small)
    let refusal = await #expect(throws: HTTPError.self) {
      try await Self.request(bytes: BodyBudget.small + 1).bytes(upTo: 1 << 20, of: budget)
    }
    #expect(refusal?.status == .serviceUnavailable)
    #expect(budget.bytes == 100 << 10)
    crowd = []
    #expect(budget.bytes == 0)
    #expect(try await Self.request(bytes: 100 << 10).bytes(upTo: 1 << 20, of: budget)?.count == 100 << 10)
    #expect(budget.bytes == 0)
  }

  @Test func oneThatIsTooLargeIsNone() async throws {
    #expect(try await Self.request(bytes: 10).bytes(upTo: 10)?.count == 10)
    #expect(try await Self.request(bytes: 11).bytes(upTo: 10) == nil)
  }

  @Test func oneThatComesLittleByLittleIsGivenUp() async throws {
    let (clock, budget) = (ManualClock(), BodyBudget(bytes: 100))
    let (body, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
    let request = Self.request(RequestBody(asyncSequence: body))
    let reading = Task { try await request.bytes(upTo: 1_000, within: .seconds(20), of: budget, clock: clock) }
    await clock.waitForSleep(of: .seconds(20))
    for _ in 0..<20 {
      sender.yield(ByteBuffer(string: " "))
      clock.advance(by: .seconds(1))
    }
    let refusal = await #expect(throws: HTTPError.self) { try await reading.value }
    #expect(refusal?.status == .requestTimeout)
    #expect(budget.bytes == 0)
  }

  /// It is no failure of the server's, which would log it.
  @Test func oneThatBreaksOffIsItsClientsDoing() async throws {
    let (body, sender) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
    sender.yield(ByteBuffer(string: "{"))
    sender.finish(throwing: BrokenOff())
    let request = Self.request(RequestBody(asyncSequence: body))
    await #expect(throws: CancellationError.self) { try await request.bytes(upTo: 1_000, within: .seconds(20)) }
  }
}
