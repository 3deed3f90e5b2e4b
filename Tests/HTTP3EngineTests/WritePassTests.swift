import HTTP3Engine
import TestSupport
import Testing

/// A batch's consequences for the next one.
@Suite struct WritePassTests {
  /// For each batch that is written now, whether it says that there may be more.
  private func hints(of client: HTTP3Connection, at now: Timestamp) -> [Bool] {
    var batch = DatagramBatch()
    defer { batch.deallocate() }
    var hints: [Bool] = []
    while client.fill(&batch, at: now) { hints.append(batch.mayHaveMore) }
    return hints
  }

  private func pair() throws -> (pair: QUICPair, server: EchoServer) {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    try pair.run(for: .milliseconds(500))
    return (pair, server)
  }

  private func send(_ byteCount: Int, _ pair: QUICPair) throws {
    let fields = [
      HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
      HeaderField(":path", "/"),
    ]
    let stream = try pair.client.sendRequest(fields, endStream: false)
    try pair.client.sendBody(Array(repeating: 7, count: byteCount), on: stream, endStream: true)
  }

  @Test(arguments: [10, 1_400, 5_000, 1 << 20]) func noneButTheLastBatchSaysSo(byteCount: Int) throws {
    let (pair, _) = try pair()
    try send(byteCount, pair)
    #expect(hints(of: pair.client, at: pair.now).dropLast().allSatisfy { $0 })
  }

  /// A lone datagram's batch, and one that fills the window; one that ends with a shorter datagram does not know.
  @Test(arguments: [10, 1 << 20]) func theLastBatchSaysSo(byteCount: Int) throws {
    let (pair, _) = try pair()
    try send(byteCount, pair)
    #expect(hints(of: pair.client, at: pair.now).last == false)
  }

  /// In the handshake what follows the last batch is a look at the deadline.
  @Test func theHandshakesBatchesAreAskedOn() throws {
    let pair = try QUICPair.make()
    let hints = hints(of: pair.client, at: pair.now)
    #expect(!hints.isEmpty && hints.allSatisfy { $0 })
  }

  @Test func aPingThatWaitsIsNotForgotten() throws {
    let (pair, _) = try pair()
    try send(10, pair)
    pair.client.probePath(at: pair.now)
    #expect(hints(of: pair.client, at: pair.now) == [true, false])
  }
}
