import HTTPTypes
import Hummingbird
import NIOCore
import ResolveKitCore
import TestSupport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(5))) struct JSONInputTests {
  private let head = HTTPRequest(method: .post, scheme: "https", authority: "h", path: "/")

  private func request(_ body: AsyncStream<ByteBuffer>) -> Request {
    Request(head: head, body: RequestBody(asyncSequence: body))
  }

  /// A body that drips is cut off at its time, however often something comes.
  @Test func aBodyThatTakesTooLongIsGivenUp() async throws {
    let clock = ManualClock()
    let (body, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
    let request = request(body)
    let reading = Task { try await JSONInput.read(request, within: .seconds(20), clock: clock) }
    await clock.waitForSleep(of: .seconds(20))
    for _ in 0..<19 {
      sender.yield(ByteBuffer(string: " "))
      clock.advance(by: .seconds(1))
    }
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: CompanionError.self) { try await reading.value }
    #expect(error?.status == .requestTimeout)
    sender.finish()
  }

  @Test func aBodyThatComesInTimeIsRead() async throws {
    let clock = ManualClock()
    let (body, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
    for part in [#"{"a"#, #"":"b"}"#] { sender.yield(ByteBuffer(string: part)) }
    sender.finish()
    let input = try await JSONInput.read(request(body), clock: clock)
    #expect(try input.requiredString("a") == "b")
    #expect(clock.sleeperCount == 0)
  }

  @Test func aBodyThatIsTooLargeIsRefused() async throws {
    let (body, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
    sender.yield(ByteBuffer(repeating: UInt8(ascii: " "), count: 101))
    let request = request(body)
    let error = await #expect(throws: CompanionError.self) { try await JSONInput.read(request, limit: 100) }
    #expect(error?.status == .contentTooLarge)
    sender.finish()
  }
}
