import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import NIOCore
import StreamTransport
import TestSupport
import Testing

/// Requests that a drain does not wait for any longer.
@Suite(.timeLimit(.minutes(10)))
struct DrainLimitTests {
  /// The moment at which a handler stands still.
  enum Moment: CaseIterable {
    case beforeTheHead
    case behindTheHead
  }

  @Test(arguments: TransportKindUnderTest.allCases, Moment.allCases)
  func handlersThatDoNotEndAreEnded(_ kind: TransportKindUnderTest, _ moment: Moment) async throws {
    let records = KeptRecords()
    let (steps, sink) = AsyncStream<String>.makeStream()
    let endless: @Sendable () async throws -> Void = {
      sink.yield("begun")
      do {
        try await waitForCancellation()
      } catch {
        sink.yield("cancelled")
        throw error
      }
    }
    let router = Router()
    router.get("endless") { _, _ -> Response in
      if moment == .beforeTheHead { try await endless() }
      return Response(
        status: .ok,
        body: .init { writer in
          try await writer.write(ByteBuffer(string: "first"))
          try await endless()
        })
    }
    let server = try await ServerUnderTest(router, drainTimeout: .milliseconds(200), records: records)
    let client = server.client(kind)
    let answer = Task {
      let response = try await client.send(.test(.get, "/endless"))
      return try await response.body.collect(upTo: 100)
    }
    var told = steps.makeAsyncIterator()
    #expect(await told.next() == "begun")
    // Returns once the limit is over, not when the handler wants.
    await server.shutdown()
    #expect(await told.next() == "cancelled")
    await #expect(throws: TransportError.self) { try await answer.value }
    let record = try #require(await records.next())
    #expect(record.ending == .left)
    await client.close()
  }
}
