import Testing

@testable import HTTP3Engine

@Suite struct EventQueueTests {
  @Test func bodyBytesThatFollowEachOtherComeInOnePiece() {
    let queue = EventQueue()
    for byte in UInt8(0)..<100 { append([byte], on: 4, to: queue) }
    #expect(reported(queue) == ["4: 100"])
  }

  @Test func nothingIsPutTogetherAcrossAStreamOrAnEvent() {
    let queue = EventQueue()
    append([1], on: 0, to: queue)
    append([2, 3], on: 4, to: queue)
    append([4], on: 0, to: queue)
    queue.append(.messageCompleted(StreamID(0)))
    append([5], on: 4, to: queue)
    #expect(reported(queue) == ["0: 1", "4: 2", "0: 1", "0 complete", "4: 1"])
  }

  @Test func aPieceHasALimitAndLosesNothing() {
    let queue = EventQueue()
    let datagram = [UInt8](repeating: 7, count: 1_200)
    for _ in 0..<100 { append(datagram, on: 0, to: queue) }
    // 54 datagrams are the most below 64 KiB.
    #expect(reported(queue) == ["0: 64800", "0: 55200"])
  }

  @Test func bytesThatComeAfterAPieceWasTakenAreTheNextPiece() {
    let queue = EventQueue()
    append([1], on: 0, to: queue)
    #expect(reported(queue) == ["0: 1"])
    append([2], on: 0, to: queue)
    #expect(reported(queue) == ["0: 1"])
    #expect(reported(queue).isEmpty)
  }

  /// Large pieces follow each other in one allocation each; a lone event takes no more than it needs.
  @Test func aPieceHasRoomForAsMuchAsTheOneBefore() {
    let queue = EventQueue()
    let datagram = [UInt8](repeating: 7, count: 1_200)
    func room(after datagrams: Int) -> Int {
      for _ in 0..<datagrams { append(datagram, on: 0, to: queue) }
      guard case .bodyReceived(_, let bytes) = queue.popFirst() else { return -1 }
      return bytes.capacity
    }
    #expect((1_200..<2_400).contains(room(after: 1)))
    #expect(room(after: 50) >= 60_000)
    #expect(room(after: 1) >= EventQueue.largestPiece)
    #expect((1_200..<2_400).contains(room(after: 1)))
  }

  /// Another stream's data says nothing about this one, whose reader may be slow.
  @Test func aPieceHasNoRoomForAnotherStreams() {
    let queue = EventQueue()
    append([UInt8](repeating: 7, count: 60_000), on: 0, to: queue)
    append([1, 2, 3], on: 4, to: queue)
    _ = queue.popFirst()
    guard case .bodyReceived(_, let bytes) = queue.popFirst() else {
      Issue.record("no second piece")
      return
    }
    #expect(bytes.capacity < 100)
  }

  private func append(_ bytes: [UInt8], on id: Int64, to queue: EventQueue) {
    bytes.withUnsafeBufferPointer { queue.appendBody($0, on: StreamID(id)) }
  }

  private func reported(_ queue: EventQueue) -> [String] {
    var texts: [String] = []
    while let event = queue.popFirst() {
      if case .bodyReceived(let id, let bytes) = event { texts.append("\(id): \(bytes.count)") }
      if case .messageCompleted(let id) = event { texts.append("\(id) complete") }
    }
    return texts
  }
}
