import HTTP3Engine
import StreamTransport

/// Wakes tasks at points of `CLOCK_MONOTONIC`, to some tens of microseconds.
///
/// `Task.sleep` is of no use for that: it lets the system gather wake-ups. This is a thread of its own that waits on an
/// absolute timerfd, to which no timer slack applies.
final class PreciseTimer: Sendable {
  private let loop: EventLoop

  /// Throws ``SystemError`` when the system is out of descriptors or threads.
  init() throws(SystemError) {
    loop = try EventLoop(name: "schedule")
  }

  deinit {
    loop.stop()
  }

  static var now: Int64 { Int64(clamping: TransportClock.monotonicNanoseconds()) }

  /// Returns at `time` or at once when it has passed; throws `CancellationError` when the task is cancelled.
  func wait(until time: Int64) async throws {
    try Task.checkCancellation()
    guard time > Self.now else { return }
    let alarm = Alarm()
    loop.execute { [loop] in alarm.set(on: loop, to: Timestamp(nanoseconds: UInt64(clamping: time))) }
    defer { loop.execute { alarm.end() } }
    try await alarm.rung.value()
  }

  /// One waiting task's timer.
  private final class Alarm: @unchecked Sendable {
    let rung = OneShot<Void>()
    /// Touched on the loop's thread alone, which is what makes the class Sendable.
    private var timer: LoopTimer?

    func set(on loop: EventLoop, to time: Timestamp) {
      timer = LoopTimer(loop) { [rung] in rung.answer(.success(())) }
      timer?.set(time)
    }

    func end() {
      timer?.cancel()
      timer = nil
    }
  }
}
