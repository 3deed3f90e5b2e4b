import HTTP3Engine
import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(10))) struct WaitingReadersTests {
  private static let most = 256 << 10
  private let body = BodyChannel()
  private let start = Timestamp(nanoseconds: 1_000_000)

  /// More than what shares an array with the piece before it.
  private func piece(_ byte: UInt8, count: Int = 5_000) -> [UInt8] { [UInt8](repeating: byte, count: count) }

  private func readers(_ pause: Duration) -> WaitingReaders { WaitingReaders(pause: pause, mostBytes: Self.most) }

  /// The reading of a reader that waits when this returns.
  private func reading() async -> Task<[UInt8]?, any Error> {
    let task = Task { [body] in try await body.next() }
    await until { body.isAwaited }
    return task
  }

  /// Bytes have flowed for a pause, and a reader was woken at `start`.
  private func flowing() async throws -> WaitingReaders {
    var readers = readers(.microseconds(500))
    for turn in [Timestamp(nanoseconds: 500_000), start] {
      let reader = await reading()
      readers.add(piece(0, count: WaitingReaders.flow), to: body)
      #expect(readers.wake(at: turn) == nil)
      #expect(try await reader.value?.count == WaitingReaders.flow)
    }
    return readers
  }

  @Test func aTurnWakesAReaderOnce() async throws {
    var readers = readers(.zero)
    #expect(readers.wake(at: start) == nil)
    let reader = await reading()
    readers.add(piece(1), to: body)
    readers.add(piece(2), to: body)
    #expect(body.isAwaited)
    #expect(readers.wake(at: start) == nil)
    #expect(try await reader.value == piece(1))
    #expect(try await body.next() == piece(2))
  }

  @Test func whileBytesFlowWhatComesSoonAfterAWakingWaits() async throws {
    for (offset, isHeld) in [(0, true), (499, true), (500, false), (1_600, false)] {
      var readers = try await flowing()
      let reader = await reading()
      readers.add(piece(1), to: body)
      let due = readers.wake(at: start + .microseconds(offset))
      #expect((due != nil) == isHeld && body.isAwaited == isHeld, "after \(offset) µs")
      if let due {
        #expect(due == start + .microseconds(500))
        #expect(readers.wake(at: due) == nil)
      }
      #expect(try await reader.value == piece(1))
    }
  }

  /// An event is handed on as it comes: all that is at hand of it, and at once what follows.
  @Test func fewBytesAreNotHeldBack() async throws {
    var readers = readers(.microseconds(500))
    for offset in [0, 100, 200, 20_000, 20_100, 20_450, 20_600] {
      let reader = await reading()
      readers.add(piece(1, count: 2_000), to: body)
      #expect(readers.wake(at: start + .microseconds(offset)) == nil)
      #expect(try await reader.value?.count == 2_000)
    }
  }

  /// Nor is much that comes after a pause.
  @Test func aBurstIsNotHeldBack() async throws {
    var readers = readers(.microseconds(500))
    for offset in [0, 20_000, 20_100, 40_000, 40_100] {
      let reader = await reading()
      readers.add(piece(1, count: 60_000), to: body)
      #expect(readers.wake(at: start + .microseconds(offset)) == nil)
      #expect(try await reader.value?.count == 60_000)
    }
  }

  @Test func muchIsNotHeldBack() async throws {
    var readers = try await flowing()
    let reader = await reading()
    readers.add(piece(1, count: Self.most - 1), to: body)
    #expect(readers.wake(at: start) != nil)
    readers.add([1], to: body)
    #expect(readers.wake(at: start) == nil)
    #expect(try await reader.value?.count == Self.most - 1)
  }

  @Test func manyBodiesAreNotHeldBack() async throws {
    var readers = try await flowing()
    let bodies = (0..<WaitingReaders.mostBodies).map { _ in BodyChannel() }
    let tasks = bodies.map { body in Task { try await body.next() } }
    for body in bodies {
      #expect(body === bodies.first || readers.wake(at: start) != nil)
      await until { body.isAwaited }
      readers.add([1], to: body)
      readers.add([2], to: body)
    }
    #expect(readers.wake(at: start) == nil)
    for task in tasks { #expect(try await task.value == [1, 2]) }
  }

  /// The end of a body needs no waking: what was held back comes before it.
  @Test(arguments: [false, true]) func theEndBringsWhatWasHeldBack(isBroken: Bool) async throws {
    struct Broken: Error {}
    var readers = readers(.zero)
    let reader = await reading()
    readers.add(piece(1), to: body)
    readers.add(piece(2), to: body)
    if isBroken { body.finish(throwing: Broken()) } else { body.finish() }
    #expect(try await reader.value == piece(1))
    #expect(try await body.next() == piece(2))
    if isBroken {
      await #expect(throws: Broken.self) { try await body.next() }
    } else {
      #expect(try await body.next() == nil)
    }
    #expect(readers.wake(at: start) == nil)
  }

  @Test func aSecondReaderTakesNothingOfWhatIsHeldBack() async throws {
    var readers = readers(.zero)
    let reader = await reading()
    readers.add(piece(1), to: body)
    await #expect(throws: TransportError.self) { try await body.next() }
    #expect(readers.wake(at: start) == nil)
    #expect(try await reader.value == piece(1))
  }
}
