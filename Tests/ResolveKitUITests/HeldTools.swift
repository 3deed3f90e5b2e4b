import ResolveKitCore
import Synchronization

/// Counts down to the last of several calls.
final class Countdown: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  /// True for the last one.
  func step() -> Bool {
    left.withLock { left in
      left -= 1
      return left == 0
    }
  }
}

/// Runs until it is let go, whatever becomes of its task.
enum StubbornTool: AnyResolveKitFunction {
  static let resolveKitName = "stubborn"
  static let resolveKitDescription = "Does not heed its cancellation."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]
  private static let gate = AsyncStream.makeStream(of: Void.self)

  static func release() { gate.continuation.finish() }

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    await Task { for await _ in gate.stream {} }.value
    return "late"
  }
}

/// Tells how far it has come, then waits until that was seen.
enum ReportingTool: AnyResolveKitFunction {
  static let resolveKitName = "reports"
  static let resolveKitDescription = "Reports its progress."
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]
  private static let gate = AsyncStream.makeStream(of: Void.self)

  static func release() { gate.continuation.finish() }

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    ResolveKitToolProgress.report(fraction: 0.5, message: "working")
    for await _ in gate.stream {}
    return "done"
  }
}
