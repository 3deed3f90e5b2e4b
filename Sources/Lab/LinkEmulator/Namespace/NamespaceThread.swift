import CLinux
import Dispatch
import Foundation
import Synchronization

/// A thread in a network namespace of its own, which lives as long as the namespace is needed.
///
/// The namespace is never given a name: it lives in this thread, its children and its sockets, so the kernel removes it
/// with them, whatever ends the process. Children are tied to the thread that started them for the same reason.
final class NamespaceThread: Sendable {
  private struct Queue {
    var jobs: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let queue = Mutex(Queue())
  private let filled = DispatchSemaphore(value: 0)
  /// `pthread_self` of the thread, 0 before it runs and after it ended.
  private let identity = Atomic<UInt>(0)

  /// Starts the thread and moves it into a new namespace.
  init(name: String) throws(EmulatorError) {
    try Threads.start(name: name) { [self] in work() }
    do throws(EmulatorError) {
      let answer = try run { clinux_unshare_network() }
      guard answer >= 0 else {
        let cause = SystemCallError("unshare", answer: answer)
        throw EmulatorError(
          answer == -EPERM ? .privileges : .system,
          "No network namespace can be made; \(Privileges.remedy)", cause: cause)
      }
    } catch {
      close()
      throw error
    }
  }

  /// Runs `body` on the thread and waits for it; sockets that it opens belong to the namespace.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(EmulatorError) -> Value {
    if identity.load(ordering: .acquiring) == UInt(pthread_self()) { return body() }
    let answer = Answer<Value>()
    let isOpen = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      queue.jobs.append { answer.set(body()) }
      return true
    }
    guard isOpen else { throw EmulatorError(.state, "The link was stopped; make a new one.") }
    filled.signal()
    return answer.get()
  }

  /// Ends the thread after the work that waits; its children are killed with it.
  func close() {
    let wasOpen = queue.withLock { queue in
      defer { queue.isClosed = true }
      return !queue.isClosed
    }
    if wasOpen { filled.signal() }
  }

  private func work() {
    identity.store(UInt(pthread_self()), ordering: .releasing)
    while true {
      filled.wait()
      let job = queue.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      guard let job else { break }
      job()
    }
    identity.store(0, ordering: .releasing)
  }
}
