import CLinux
import Synchronization

/// A reserve of random words, filled from the system's cryptographically secure source when it is empty.
///
/// A connection takes a dozen words for its ids, and a request two for its own: a system call for each is dear beside them.
/// A word is given out once, and is gone from memory then.
final class RandomReserve: Sendable {
  /// As many bytes as the kernel gives at once, without a part left out (getrandom(2)).
  static let wordsPerRefill = 32

  private struct State {
    var words = [UInt64](repeating: 0, count: wordsPerRefill)
    var left = 0
  }

  private let state = Mutex(State())
  private let refill: @Sendable (UnsafeMutableRawBufferPointer) -> Bool

  /// - Parameter refill: fills a buffer with random bytes; false if it cannot.
  init(
    refill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Bool = { clinux_random($0.baseAddress, $0.count) }
  ) {
    self.refill = refill
  }

  func next() -> UInt64 {
    state.withLock { state in
      if state.left == 0 {
        guard state.words.withUnsafeMutableBytes(refill) else {
          var generator = SystemRandomNumberGenerator()
          return generator.next()
        }
        state.left = state.words.count
      }
      state.left -= 1
      defer { state.words[state.left] = 0 }
      return state.words[state.left]
    }
  }
}
