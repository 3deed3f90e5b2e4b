@testable import ResolveKitCore

/// Makes calls of turn "t" and reads what a fact about them brings about.
enum CallScript {
  static let second: MonotonicNanoseconds = 1_000_000_000

  static func key(_ callID: String) -> ToolCallKey { ToolCallKey(turnID: "t", callID: callID) }

  static func request(_ callID: String, _ function: String = "runs", timeout: Int = 30) -> ResolveKitToolCallRequest {
    ResolveKitToolCallRequest(callID: callID, functionName: function, arguments: [:], timeoutSeconds: timeout)
  }

  static func call(
    _ callID: String, turn: String = "t", timeout: Int = 30, at now: MonotonicNanoseconds = 0
  ) -> ToolCall {
    ToolCall(
      key: ToolCallKey(turnID: turn, callID: callID), request: request(callID, timeout: timeout),
      requiresApproval: true, arrivedAt: now)
  }

  static func result(_ callID: String, _ value: JSONValue = 1) -> ResolveKitToolResultPayload {
    ResolveKitToolResultPayload(.success(value), of: key(callID), maximumBytes: 1000)
  }

  /// The actions of what `body` tells.
  static func actions(_ body: (inout TurnEffects) -> Void) -> [TurnAction] {
    var effects = TurnEffects()
    body(&effects)
    return effects.takeActions()
  }

  /// The record of what `body` tells.
  static func record(_ body: (inout TurnEffects) -> Void) -> [JournalEntry] {
    var effects = TurnEffects()
    body(&effects)
    return effects.record
  }
}
