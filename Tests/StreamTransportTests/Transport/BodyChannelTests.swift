import HTTPTypes
import StreamTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct BodyChannelTests {
  @Test func smallPiecesShareAnArrayAndAllBytesAreCounted() async throws {
    let consumed = Mutex(0)
    let channel = BodyChannel(onConsumed: { count in consumed.withLock { $0 += count } })
    for index in 0..<10_000 { channel.yield([UInt8(truncatingIfNeeded: index)]) }
    channel.finish()
    var bytes: [UInt8] = []
    var chunks = 0
    while let chunk = try await channel.next() {
      bytes += chunk
      chunks += 1
    }
    #expect(bytes == (0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
    #expect(chunks == 3)
    #expect(consumed.withLock { $0 } == 10_000)
  }

  /// A reader that is always behind by some, so that what was read has to make room.
  @Test(arguments: [1, 63, 64, 65, 200]) func nothingIsLostOfWhatAlwaysWaits(_ behind: Int) async throws {
    let channel = BodyChannel()
    func piece(_ number: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4_096 + number)
    }
    for number in 0..<behind { channel.yield(piece(number)) }
    for number in 0..<1_000 {
      channel.yield(piece(number + behind))
      let isNext = try await channel.next() == piece(number)
      #expect(isNext)
    }
    channel.finish()
    for number in 1_000..<1_000 + behind {
      let isNext = try await channel.next() == piece(number)
      #expect(isNext)
    }
    #expect(try await channel.next() == nil)
  }

  @Test func aBodyThatLostBytesNeverLooksWhole() async throws {
    let channel = BodyChannel()
    channel.yield([1])
    channel.finish()
    channel.cancel()
    await #expect(throws: CancellationError.self) { try await channel.next() }
  }

  @Test func whatIsLeftBehindOfACompleteBodyIsCredited() async throws {
    let consumed = Mutex(0)
    let channel = BodyChannel(onConsumed: { count in consumed.withLock { $0 += count } })
    channel.yield([UInt8](repeating: 1, count: 4_096))
    channel.yield([UInt8](repeating: 2, count: 100))
    _ = try await channel.next()
    channel.finish()
    channel.cancel()
    channel.cancel()
    #expect(consumed.withLock { $0 } == 4_196)
  }

  @Test func aPriorityIsPassedOnUntilTheBodyIsComplete() {
    let priorities = Mutex<[RequestPriority]>([])
    let channel = BodyChannel(onPriority: { priority in priorities.withLock { $0.append(priority) } })
    channel.setPriority(RequestPriority(urgency: 1))
    channel.finish()
    channel.setPriority(RequestPriority(urgency: 2))
    #expect(priorities.withLock { $0 } == [RequestPriority(urgency: 1)])
  }

  @Test func aSecondReaderIsTurnedAway() async throws {
    let channel = BodyChannel()
    async let first = channel.next()
    async let second = channel.next()
    // Whichever came second has failed; the other gets the byte.
    channel.yield([7])
    channel.finish()
    var outcomes: [[UInt8]?] = []
    do { outcomes.append(try await first) } catch is TransportError { outcomes.append([]) }
    do { outcomes.append(try await second) } catch is TransportError { outcomes.append([]) }
    #expect(outcomes.contains([7]))
  }

  @Test func trailersAreThereAtTheEndAndNotWhenBytesWereLost() async throws {
    let trailers: HTTPFields = [.contentLocation: "/x"]
    let channel = BodyChannel()
    channel.yield([1])
    #expect(channel.trailers == nil)
    channel.finish(trailers: trailers)
    #expect(try await channel.next() == [1])
    #expect(try await channel.next() == nil)
    #expect(channel.trailers == trailers)
    let left = BodyChannel()
    left.yield([1])
    left.finish(trailers: trailers)
    left.cancel()
    #expect(left.trailers == nil)
  }

  @Test func aBrokenBodyIsReportedOnceAndOneThatItsReaderLeftIsNot() {
    let reported = Mutex<[TransportError.Code]>([])
    let tell: @Sendable (any Error) -> Void = { error in
      reported.withLock { $0 += [(error as? TransportError)?.code].compactMap(\.self) }
    }
    let broken = BodyChannel()
    broken.whenBroken(tell)
    broken.finish(throwing: TransportError(.streamReset, "first"))
    broken.finish(throwing: TransportError(.connectionLost, "second"))
    #expect(reported.withLock { $0 } == [.streamReset])
    // Broken before anybody asked.
    broken.whenBroken(tell)
    #expect(reported.withLock { $0 } == [.streamReset, .streamReset])
    let left = BodyChannel()
    left.whenBroken(tell)
    left.cancel()
    left.finish(throwing: TransportError(.connectionLost, "late"))
    let whole = BodyChannel()
    whole.whenBroken(tell)
    whole.finish()
    #expect(reported.withLock { $0 }.count == 2)
  }
}
