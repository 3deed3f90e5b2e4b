import Foundation
import UnixSignals

/// Ctrl-C and SIGTERM as the cancellation of a task, so that what is there by then can be written.
enum Interruption {
  static func watch<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { try await body() }
    let watch = Task {
      for await _ in signals {
        // The second time at once: programs and namespaces end with this process.
        if work.isCancelled { Foundation.exit(LabError.Code.interrupted.rawValue) }
        StandardError.write("latency-lab: interrupted; writing what is there. Once more to leave at once.")
        work.cancel()
      }
    }
    defer { watch.cancel() }
    return try await work.value
  }
}
