import Dispatch
import StreamTransport
import Synchronization

/// A condition that tests wait for.
package final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  package init() {}

  package func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Waits until the task is cancelled.
package func waitForCancellation() async throws {
  let (forever, keep) = AsyncStream.makeStream(of: Void.self)
  defer { withExtendedLifetime(keep) {} }
  for await _ in forever {}
  throw TransportError(.cancelled, "cancelled")
}

/// Waits until `isSo`, asked every millisecond: what else runs keeps the processors.
package func until(isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool) async rethrows {
  while try await !isSo() {
    await withCheckedContinuation { waiter in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { waiter.resume() }
    }
  }
}
