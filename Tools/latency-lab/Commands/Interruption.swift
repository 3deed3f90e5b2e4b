import UnixSignals

/// Ctrl-C and SIGTERM as the cancellation of a task, so that what is there by then can be written.
enum Interruption {
  static func watch<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { try await body() }
    let watch = Task {
      for await _ in signals {
        StandardError.write("latency-lab: interrupted; writing what is there.")
        work.cancel()
      }
    }
    defer { watch.cancel() }
    return try await work.value
  }
}
