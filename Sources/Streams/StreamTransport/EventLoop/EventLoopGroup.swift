import Foundation
import Synchronization

/// A few event loops, handed out in turn.
package final class EventLoopGroup: Sendable {
  private let loops: [EventLoop]
  private let next = Atomic<Int>(0)

  /// The process's own group, which clients use, and servers by default: one loop for each processor, but
  /// no more than four, since a loop carries thousands of streams. It lasts as long as the process.
  package static let shared: Result<EventLoopGroup, SystemError> = {
    let count = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4)
    do throws(SystemError) {
      return .success(try EventLoopGroup(count: count, name: "loop"))
    } catch {
      return .failure(error)
    }
  }()

  package init(count: Int, name: String) throws(SystemError) {
    var loops: [EventLoop] = []
    for index in 0..<max(count, 1) { loops.append(try EventLoop(name: "\(name)-\(index)")) }
    self.loops = loops
  }

  package func nextLoop() -> EventLoop {
    let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[Int(turn.magnitude % UInt(loops.count))]
  }

  /// Returns once each loop has come to a turn.
  func takeTurns() async {
    for loop in loops {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        loop.execute { continuation.resume() }
      }
    }
  }

  /// Ends the threads; nothing may use the loops afterwards.
  package func stop() {
    for loop in loops { loop.stop() }
  }
}
