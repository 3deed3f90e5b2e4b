import HTTP3Engine
import TestSupport
import Testing

@testable import StreamTransport

@Suite(.timeLimit(.minutes(1))) struct WaitingReadersTests {
  private let body = BodyChannel()
  private let start = Timestamp(nanoseconds: 1_000_000)

  /// More than what shares an array with the piece before it.
  private func piece(_ byte: UInt8, count: Int = 5_000) -> [UInt8] { [UInt8](repeating: byte, count: count) }

  /// What the reader gets, who waits when this returns.
  private func reading() async -> Task<[UInt8]?, any Error> {
    let task = Task { [body] in try await body.next() }
    await until { body.isAwaited }
    return task
  }

  @Test func aTurnWakesAReaderOnce() async throws {
    var readers = WaitingReaders(pause: .zero)
    #expect(readers.wake(at: start) == nil)
    let reader = await reading()
    readers.add(piece(1), to: body)
    readers.add(piece(2), to: body)
    #expect(body.isAwaited)
    #expect(readers.wake(at: start) == nil)
    #expect(try await reader.value == piece(1))
    #expect(try await body.next() == piece(2))
  }

  @Test func whatComesSoonAfterAWakingWaits() async throws {
    var readers = WaitingReaders(pause: .microseconds(500))
    for (offset, isHeld) in [(0, false), (499, true), (1_100, false), (1_600, false)] {
      let reader = await reading()
      readers.add(piece(1), to: body)
      let now = start + .microseconds(offset)
      let due = readers.wake(at: now)
      #expect((due != nil) == isHeld && body.isAwaited == isHeld, "after \(offset) µs")
      if let due {
        #expect(due == start + .microseconds(500))
        #expect(readers.wake(at: due) == nil)
      }
      #expect(try await reader.value == piece(1))
    }
  }

  @Test func muchIsNotHeldBack() async throws {
    var readers = WaitingReaders(pause: .seconds(3600))
    for count in [1, WaitingReaders.mostBytes] {
      let reader = await reading()
      readers.add(piece(1, count: count), to: body)
      #expect(readers.wake(at: start) == nil)
      #expect(try await reader.value?.count == count)
    }
  }

  @Test func manyBodiesAreNotHeldBack() async throws {
    var readers = WaitingReaders(pause: .seconds(3600))
    let reader = await reading()
    readers.add(piece(1), to: body)
    #expect(readers.wake(at: start) == nil)
    _ = try await reader.value
    let bodies = (0..<WaitingReaders.mostBodies).map { _ in BodyChannel() }
    let tasks = bodies.map { body in Task { try await body.next() } }
    for body in bodies {
      #expect(body !== bodies.first || readers.wake(at: start) == nil)
      await until { body.isAwaited }
      readers.add([1], to: body)
    }
    #expect(readers.wake(at: start) == nil)
    for task in tasks { #expect(try await task.value == [1]) }
  }

  /// The end of a body needs no waking: what was held back comes before it.
  @Test(arguments: [false, true]) func theEndBringsWhatWasHeldBack(isBroken: Bool) async throws {
    struct Broken: Error {}
    var readers = WaitingReaders(pause: .seconds(3600))
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
}
