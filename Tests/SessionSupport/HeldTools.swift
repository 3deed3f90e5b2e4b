package import ResolveKitCore
import Synchronization

/// Counts down to the last of several calls.
package final class Countdown: Sendable {
  private let left: Mutex<Int>

  package init(_ count: Int) { left = Mutex(count) }

  /// True for the last one.
  package func step() -> Bool {
    left.withLock { left in
      left -= 1
      return left == 0
    }
  }
}

/// Runs until it is released, whatever happens to its task.
package enum StubbornTool: AnyResolveKitFunction {
  package static let resolveKitName = "stubborn"
  package static let resolveKitDescription = "Does not heed its cancellation."
  package static let resolveKitRequiresApproval = false
  package static let resolveKitParametersSchema: JSONObject = [:]
  private static let gate = AsyncStream.makeStream(of: Void.self)

  package static func release() { gate.continuation.finish() }

  package static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    await Task { for await _ in gate.stream {} }.value
    return "late"
  }
}

/// Tells how far it has come, then waits until that was seen.
package enum ReportingTool: AnyResolveKitFunction {
  package static let resolveKitName = "reports"
  package static let resolveKitDescription = "Reports its progress."
  package static let resolveKitRequiresApproval = false
  package static let resolveKitParametersSchema: JSONObject = [:]
  private static let gate = AsyncStream.makeStream(of: Void.self)

  package static func release() { gate.continuation.finish() }

  package static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    ResolveKitToolProgress.report(fraction: 0.5, message: "working")
    for await _ in gate.stream {}
    return "done"
  }
}
