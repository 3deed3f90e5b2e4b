import Foundation
import ToolSupport
import UnixSignals

/// Ctrl-C and SIGTERM as the cancellation of a task, so that it can end in its own way.
enum Interruption {
  /// - Parameter ending: what the cancelled task does, in words.
  static func watch<Value: Sendable>(
    ending: String = "writing what is there", _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let work = Task { try await body() }
    let watch = Task {
      for await _ in signals {
        // The second time at once: programs and namespaces end with this process.
        if work.isCancelled { Foundation.exit(LabError.Code.interrupted.rawValue) }
        StandardError.write("latency-lab: interrupted; \(ending). Once more to leave at once.")
        work.cancel()
      }
    }
    defer { watch.cancel() }
    return try await work.value
  }
}
