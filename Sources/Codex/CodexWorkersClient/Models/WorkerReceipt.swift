public import ResolveKitCore

/// The one event that ends a request: the device's answer, or why there is none.
public struct WorkerReceipt: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case response(JSONValue)
    case failure(code: String, message: String, isRetryable: Bool, details: JSONObject)
  }

  public let requestID: String
  public let method: String
  public let outcome: Outcome
  public let sequence: Int64

  /// Nil for an event that is no receipt. What a runtime writes by itself names no method and ends nothing.
  public init?(_ event: WorkerEvent) {
    let fields = WireObject(event.payload)
    guard let request = fields.word("request_id"), let method = fields.word("method") else { return nil }
    switch event.type {
    case "worker.response": outcome = .response(fields["response"] ?? .null)
    case "worker.error":
      outcome = .failure(
        code: fields.word("code") ?? "internal_error", message: fields.string("message") ?? "",
        isRetryable: fields.flag("retryable") ?? false, details: fields.object("details"))
    default: return nil
    }
    requestID = request
    self.method = method
    sequence = event.sequence
  }
}
