package import ResolveKitSession

/// A task that applies a runtime's updates one after the other, until they end.
@MainActor
package struct UpdateMirror {
  private let updates: ResolveKitRuntimeUpdates
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - apply: takes each update.
  ///   - end: is called after the last one.
  package init(
    _ updates: ResolveKitRuntimeUpdates, apply: @escaping @MainActor (ResolveKitRuntimeUpdate) -> Void,
    end: @escaping @MainActor () -> Void = {}
  ) {
    self.updates = updates
    task = Task {
      for await update in updates { apply(update) }
      end()
    }
  }

  /// Returns once all updates that were sent before this call are applied.
  package func caughtUp() async { await updates.caughtUp() }

  /// Returns once the last update is applied.
  package func ended() async { await task.value }
}
