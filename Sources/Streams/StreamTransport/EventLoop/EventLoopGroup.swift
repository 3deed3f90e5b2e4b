import Foundation
import Synchronization

/// A few event loops, handed out in turn.
package final class EventLoopGroup: Sendable {
  private struct State {
    var loops: [EventLoop]
    var next = 0

    /// The next `count` loops, of which no two are the same while there are as many.
    mutating func take(_ count: Int) -> [EventLoop] {
      defer { next = (next + count) % loops.count }
      return (next..<next + count).map { loops[$0 % loops.count] }
    }
  }

  private let name: String
  private let state: Mutex<State>

  /// The process's own group, which clients and servers use: one loop for each processor, but no more than four, since a
  /// loop carries thousands of streams, unless a server asks for more. It lasts as long as the process.
  package static let shared: Result<EventLoopGroup, SystemError> = {
    let count = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4)
    do throws(SystemError) {
      return .success(try EventLoopGroup(count: count, name: "loop"))
    } catch {
      return .failure(error)
    }
  }()

  package init(count: Int, name: String) throws(SystemError) {
    self.name = name
    var loops: [EventLoop] = []
    for index in 0..<max(count, 1) { loops.append(try EventLoop(name: "\(name)-\(index)")) }
    state = Mutex(State(loops: loops))
  }

  package func nextLoop() -> EventLoop { state.withLock { $0.take(1)[0] } }

  /// So many loops, each another one; those that are missing are started. Throws ``SystemError`` when the system is out of
  /// descriptors or threads.
  package func nextLoops(_ count: Int) throws(SystemError) -> [EventLoop] {
    try state.withLock { state throws(SystemError) in
      while state.loops.count < count {
        state.loops.append(try EventLoop(name: "\(name)-\(state.loops.count)"))
      }
      return state.take(count)
    }
  }

  /// Returns once each loop has come to a turn.
  func takeTurns() async {
    for loop in state.withLock({ $0.loops }) {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        loop.execute { continuation.resume() }
      }
    }
  }

  /// Ends the threads; nothing may use the loops afterwards.
  package func stop() {
    for loop in state.withLock({ $0.loops }) { loop.stop() }
  }
}
