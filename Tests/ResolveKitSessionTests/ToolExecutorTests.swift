import Glibc
import Synchronization
import Testing

@testable import ResolveKitSession

@Suite(.timeLimit(.minutes(10)))
struct ToolExecutorTests {
  private final class Threads: Sendable {
    private let seen = Mutex<Set<UInt>>([])

    var count: Int { seen.withLock(\.count) }

    func take() { seen.withLock { _ = $0.insert(UInt(pthread_self())) } }
  }

  @Test func aToolWithManyTasksGetsNoThreadForEach() async {
    let threads = Threads()
    let count = await withTaskExecutorPreference(ToolExecutor()) {
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<2000 {
          group.addTask {
            threads.take()
            return 1
          }
        }
        return await group.reduce(0, +)
      }
    }
    #expect(count == 2000)
    #expect(threads.count <= ToolExecutor.maximumThreads)
  }
}
