package import ResolveKitCore
package import StreamTransport

/// One run of one tool, on a thread of its own.
///
/// No task waits for it: giving it up cancels it and returns at once, whether the tool heeds that or not; that its body
/// has returned is reported all the same, since until then it holds its resources.
package struct ToolRun: Sendable {
  private let task: Task<Void, Never>

  /// Starts the body.
  ///
  /// - Parameters:
  ///   - onProgress: called with the tool's reports, at most one in ``ProgressRelay/pause``.
  ///   - onReturn: called once, with the tool's value or its error's sentence.
  package init(
    clock: TransportClock, onProgress: @escaping @Sendable (ResolveKitToolProgress) async -> Void = { _ in },
    onReturn: @escaping @Sendable (ToolOutcome) async -> Void,
    _ body: @escaping @Sendable () async throws -> JSONValue
  ) {
    let relay = ProgressRelay(clock: clock, send: onProgress)
    task = ResolveKitToolProgress.$sink.withValue(ToolProgressSink { relay.report($0) }) {
      Task(executorPreference: ToolExecutor.shared) {
        let outcome: ToolOutcome
        do { outcome = .success(try await body()) } catch { outcome = .failure(ToolErrorText.sentence(error)) }
        relay.finish()
        await onReturn(outcome)
      }
    }
  }

  package func cancel() { task.cancel() }
}
