import ResolveKitCore
import StreamTransport

/// The tools that run.
struct ToolRunner {
  let functions: FunctionSet
  private let clock: TransportClock
  private var runs: [ToolCallKey: ToolRun] = [:]

  init(functions: FunctionSet, clock: TransportClock) {
    self.functions = functions
    self.clock = clock
  }

  /// Starts the tool of a call.
  ///
  /// - Parameters:
  ///   - session: the session's id, for the tool.
  ///   - onReturn: called once, also for a tool that was cancelled; the receiver then calls ``end(of:)``.
  mutating func start(
    _ call: ToolCall, session: String?, onProgress: @escaping @Sendable (ResolveKitToolProgress) async -> Void,
    onReturn: @escaping @Sendable (ToolOutcome) async -> Void
  ) {
    runs[call.key] = ToolRun(clock: clock, onProgress: onProgress, onReturn: onReturn) { [functions] in
      try await functions.run(call, session: session)
    }
  }

  func cancel(_ key: ToolCallKey) { runs[key]?.cancel() }

  /// Cancels every tool; each one's end is still reported.
  func cancelAll() {
    for run in runs.values { run.cancel() }
  }

  mutating func end(of key: ToolCallKey) { runs[key] = nil }
}
