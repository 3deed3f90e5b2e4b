/// The outcome of running a tool.
package enum ToolOutcome: Codable, Equatable, Sendable {
  case success(JSONValue)
  case failure(String)

  /// The reason for which a tool's value cannot be sent; nil where it can.
  var objection: String? {
    guard case .success(let value) = self, value.isNestedDeeper(than: JSONValue.maximumDepth) else { return nil }
    return "The tool's result is nested deeper than \(JSONValue.maximumDepth) levels."
  }
}

extension ResolveKitToolResultPayload {
  /// The result of a call.
  ///
  /// - Parameter maximumBytes: of a larger value, as JSON, the beginning is sent, with a mark of the cut.
  init(_ outcome: ToolOutcome, of key: ToolCallKey, maximumBytes: Int) {
    switch outcome {
    case .success(let value):
      self.init(
        turnID: key.turnID, idempotencyKey: key.idempotencyKey, callID: key.callID, status: .success,
        result: value.cut(toBytes: maximumBytes))
    case .failure(let error):
      self.init(
        turnID: key.turnID, idempotencyKey: key.idempotencyKey, callID: key.callID, status: .error, error: error)
    }
  }

  /// The outcome that the payload carries.
  var outcome: ToolOutcome {
    switch status {
    case .success: .success(result ?? .null)
    case .error: .failure(error ?? "")
    }
  }
}
