import Synchronization

/// Counts that the connection's channel changes and anybody reads.
final class SharedCounts: Sendable {
  private let counts = Mutex(AppServerCounts())

  var value: AppServerCounts { counts.withLock { $0 } }

  func change(_ body: (inout AppServerCounts) -> Void) {
    counts.withLock { body(&$0) }
  }
}
