public import ResolveKitCore

/// The one event that ends a request: the device's answer, or why there is none.
public struct WorkerReceipt: Hashable, Sendable {
  /// The end of a request.
  public enum Outcome: Hashable, Sendable {
    /// The device's answer, as Codex gave it.
    case response(JSONValue)
    /// The reason why there is no answer: the contract's code, a sentence, whether the same request may succeed later,
    /// and data.
    case failure(code: String, message: String, isRetryable: Bool, details: JSONObject)
  }

  /// The request's ``WorkerControlRequest/id``.
  public let requestID: String
  /// The request's method.
  public let method: String
  /// The answer, or the reason why there is none.
  public let outcome: Outcome
  /// The number of the event that is the receipt.
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
