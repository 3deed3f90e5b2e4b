import Synchronization
import Testing

@testable import StreamTransport

@Suite struct RandomReserveTests {
  /// Fills with 1, 2, 3 …, and counts its calls.
  private final class Source: Sendable {
    private let state = Mutex((word: UInt64(0), calls: 0))
    var calls: Int { state.withLock { $0.calls } }

    func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
      state.withLock { state in
        state.calls += 1
        for index in 0..<bytes.count / 8 {
          state.word += 1
          bytes.storeBytes(of: state.word, toByteOffset: 8 * index, as: UInt64.self)
        }
        return true
      }
    }
  }

  @Test func eachWordIsGivenOnceAndTheSourceAskedForManyAtOnce() {
    let source = Source()
    let reserve = RandomReserve(refill: source.fill)
    let words = (0..<3 * RandomReserve.wordsPerRefill).map { _ in reserve.next() }
    #expect(Set(words) == Set(1...UInt64(words.count)))
    #expect(source.calls == 3)
  }

  @Test func tasksThatTakeAtOnceGetDifferentWords() async {
    let reserve = RandomReserve(refill: Source().fill)
    let words = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<4 { group.addTask { (0..<1_000).map { _ in reserve.next() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(words) == Set(1...4_000))
  }

  @Test func aSourceThatFailsLeavesNoWordThatCanBeGuessed() {
    let reserve = RandomReserve { _ in false }
    #expect(Set((0..<100).map { _ in reserve.next() }).count == 100)
  }

  @Test func theSystemsWordsDiffer() {
    let reserve = RandomReserve()
    #expect(Set((0..<1_000).map { _ in reserve.next() }).count == 1_000)
  }
}
