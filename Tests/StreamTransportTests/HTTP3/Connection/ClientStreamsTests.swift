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
    #expect(streams.isAttentive && streams.ids.count == 2)
    streams.receiveHead(HTTPResponse(status: .noContent), on: StreamID(0))
    streams.receiveHead(HTTPResponse(status: .noContent), on: StreamID(8))
    #expect(streams.isAttentive)
    #expect(try await first.head.value().status == .noContent)
    #expect(streams.remove(StreamID(4)) != nil && streams.remove(StreamID(4)) == nil)
    #expect(!streams.isAttentive && streams[StreamID(0)] === first && !streams.isEmpty)
  }

  @Test func theCallersWordKeepsItAttentive() {
    var streams = streams
    #expect(streams.setCallerAttentive(true) && !streams.setCallerAttentive(true))
    #expect(streams.isAttentive)
    #expect(streams.setCallerAttentive(false) && !streams.isAttentive)
  }

  @Test func nothingIsAwaitedOnWhatIsGivenUp() {
    var streams = streams
    for id in 0..<3 { streams.open(stream(), as: StreamID(Int64(id) * 4)) }
    #expect(streams.removeAll().count == 3)
    #expect(streams.isEmpty && !streams.isAttentive && streams.removeAll().isEmpty)
  }
}
