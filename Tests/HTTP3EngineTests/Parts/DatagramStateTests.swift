import Testing

@testable import HTTP3Engine

/// Which datagrams leave, which wait and which are dropped (RFC 9221, RFC 9297): the rules alone.
@Suite struct DatagramStateTests {
  private let stream = StreamID(4)

  private func filled(_ payloads: [UInt8]...) throws -> DatagramState {
    var datagrams = DatagramState()
    for payload in payloads { try datagrams.send(payload, on: stream, limit: 1_000, isWritable: true) }
    return datagrams
  }

  private func next(
    _ datagrams: inout DatagramState, limit: Int? = 1_000, _ request: DatagramState.Request
  ) -> DatagramState.Next {
    datagrams.next(frameLimit: { limit }, request: { _ in request })
  }

  @Test func aFrameStaysFirstUntilAPacketHasTakenIt() throws {
    var datagrams = try filled([1], [2])
    let first = next(&datagrams, .open)
    let again = next(&datagrams, .open)
    #expect(first == .send(frame: [1, 1]) && again == first)
    datagrams.didSend()
    let second = next(&datagrams, .open)
    datagrams.didSend()
    let none = next(&datagrams, .open)
    #expect(second == .send(frame: [1, 2]) && none == .nothing)
  }

  @Test func oneThatIsAheadOfItsRequestWaitsAndOneBehindItIsLost() throws {
    var datagrams = try filled([1], [2])
    let waiting = next(&datagrams, .unsent)
    let later = next(&datagrams, .open)
    let lost = next(&datagrams, .gone)
    let nothing = next(&datagrams, .open)
    #expect(waiting == .nothing && later == .send(frame: [1, 1]) && lost == .nothing && nothing == .nothing)
  }

  @Test func whatThePathHasBecomeTooNarrowForIsLost() throws {
    var datagrams = try filled([1, 2, 3], [4])
    let narrow = next(&datagrams, limit: 2, .open)
    #expect(narrow == .send(frame: [1, 4]))
    let unknown = next(&datagrams, limit: nil, .open)
    #expect(unknown == .nothing)
  }

  @Test func thoseOfAStreamAreForgottenAlone() throws {
    var datagrams = try filled([1])
    try datagrams.send([2], on: StreamID(8), limit: 10, isWritable: true)
    datagrams.removeAll(of: stream)
    let left = next(&datagrams, .open)
    datagrams.removeAll()
    let nothing = next(&datagrams, .open)
    #expect(left == .send(frame: [2, 2]) && nothing == .nothing)
  }

  struct Refusal: CustomTestStringConvertible {
    var limit: Int?
    var isWritable = true
    var code: HTTP3Error.Code
    var testDescription: String { "\(code)" }
  }

  @Test(arguments: [
    Refusal(limit: nil, code: .datagramsUnavailable), Refusal(limit: 9, isWritable: false, code: .streamClosed),
    Refusal(limit: 2, code: .datagramTooLarge),
  ])
  func whatCannotLeaveIsRefused(_ row: Refusal) {
    var datagrams = DatagramState()
    let error = #expect(throws: HTTP3Error.self) {
      try datagrams.send([1, 2, 3], on: stream, limit: row.limit, isWritable: row.isWritable)
    }
    #expect(error?.code == row.code)
    let nothing = next(&datagrams, .open)
    #expect(nothing == .nothing)
  }

  @Test func theQueueHasABoundInBytesToo() throws {
    var datagrams = DatagramState()
    let large = [UInt8](repeating: 0, count: DatagramState.byteLimit)
    try datagrams.send(large, on: stream, limit: large.count, isWritable: true)
    let error = #expect(throws: HTTP3Error.self) {
      try datagrams.send([], on: stream, limit: large.count, isWritable: true)
    }
    #expect(error?.code == .datagramQueueFull)
    datagrams.didSend()
    try datagrams.send([], on: stream, limit: large.count, isWritable: true)
  }

  @Test func receivedOnesAreDroppedWhileNobodyTakesThem() throws {
    var datagrams = DatagramState()
    func receive(_ isReading: Bool = true) throws -> HTTPDatagram? {
      try ([1, 7] as [UInt8]).withUnsafeBytes { try datagrams.receive($0) { _ in isReading } }
    }
    #expect(try receive(false) == nil)
    for _ in 0..<DatagramState.receivedLimit { #expect(try receive()?.payload == [7]) }
    #expect(try receive() == nil)
    datagrams.didTake()
    #expect(try receive()?.stream == stream)
  }

  @Test func aFrameWithoutAStreamIsAnError() {
    var datagrams = DatagramState()
    let error = #expect(throws: HTTP3Error.self) {
      _ = try [UInt8]().withUnsafeBytes { try datagrams.receive($0) { _ in true } }
    }
    #expect(error?.code == .application(.datagramError))
  }

  @Test func aFrameFitsThePacketAndThePeersLimit() {
    #expect(DatagramState.frameLimit(payload: 1_200, peer: 0) == nil)
    #expect(DatagramState.frameLimit(payload: 1_200, peer: 65_535) == 1_200 - 41 - 3)
    #expect(DatagramState.frameLimit(payload: 1_200, peer: 100) == 97)
    #expect(DatagramState.payloadLimit(on: stream, frameLimit: 97) == 96)
    #expect(DatagramState.payloadLimit(on: stream, frameLimit: -2) == 0)
  }
}
