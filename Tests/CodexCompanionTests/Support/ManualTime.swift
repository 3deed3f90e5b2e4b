import Synchronization

/// A time of day that a test moves.
final class ManualTime: Sendable {
  private let milliseconds: Mutex<Int>

  init(_ milliseconds: Int = 1_795_000_000_000) { self.milliseconds = Mutex(milliseconds) }

  var now: Int { milliseconds.withLock { $0 } }

  func advance(by duration: Int) { milliseconds.withLock { $0 += duration } }
}
