import HTTP3Engine
import HTTPTypes
import Testing

@testable import StreamTransport

@Suite struct ClientStreamsTests {
  private let streams = ClientStreams()

  private func stream() -> ClientStream { ClientStream(body: BodyChannel()) }

  @Test func aConnectionIsAttentiveUntilEveryResponseHasBegun() async throws {
    var streams = streams
    let first = stream()
    streams.open(first, as: StreamID(0))
    streams.open(stream(), as: StreamID(4))
    #expect(streams.isResponseExpected && streams.ids.count == 2)
    streams.receiveHead(HTTPResponse(status: .noContent), on: StreamID(0))
    streams.receiveHead(HTTPResponse(status: .noContent), on: StreamID(8))
    #expect(streams.isResponseExpected)
    #expect(try await first.head.value().status == .noContent)
    #expect(streams.remove(StreamID(4)) != nil && streams.remove(StreamID(4)) == nil)
    #expect(!streams.isResponseExpected && streams[StreamID(0)] === first && !streams.isEmpty)
  }

  @Test func theCallersWordKeepsItAttentive() {
    var streams = streams
    #expect(streams.setCallerExpectation(true) && !streams.setCallerExpectation(true))
    #expect(streams.isResponseExpected)
    #expect(streams.setCallerExpectation(false) && !streams.isResponseExpected)
  }

  @Test func nothingIsAwaitedOnWhatIsGivenUp() {
    var streams = streams
    for id in 0..<3 { streams.open(stream(), as: StreamID(Int64(id) * 4)) }
    #expect(streams.removeAll().count == 3)
    #expect(streams.isEmpty && !streams.isResponseExpected && streams.removeAll().isEmpty)
  }
}
