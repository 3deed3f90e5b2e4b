package import ResolveKitCore

/// The one event that ends a request, as every lane writes it. A message ends in one only where it is refused.
package struct LaneReceipt: Equatable, Sendable {
  /// The most bytes of its payload, so that it fits with its envelope into a runtime's largest body, 1 MiB.
  package static let limit = (1 << 20) - 4_096

  /// The method of the event by which a lane says that it refuses a message.
  package static let refusedMessage = "desktop/user_message_refused"

  package let type: String
  package let payload: JSONObject

  /// An answer that fits into no event is reported as a failure.
  ///
  /// - Parameters:
  ///   - source: who writes it.
  ///   - time: the writer's, for people.
  /// Nil for a message that was accepted: the events of its turn are the answer.
  package init?(
    _ result: Result<JSONValue, LaneRefusal>, of request: LaneRequest, source: String, at time: String
  ) {
    if request.kind == .message, case .success = result { return nil }
    let (type, payload) = Self.event(result, request, source, time)
    if JSONValue.object(payload).serialized().count <= Self.limit {
      (self.type, self.payload) = (type, payload)
    } else {
      let refusal = LaneRefusal(
        .internalError, "The answer has more than \(Self.limit) bytes; ask for less, such as a page.")
      (self.type, self.payload) = Self.event(.failure(refusal), request, source, time)
    }
  }

  private static func event(
    _ result: Result<JSONValue, LaneRefusal>, _ request: LaneRequest, _ source: String, _ time: String
  ) -> (String, JSONObject) {
    var payload: JSONObject = ["source": .string(source), "occurred_at": .string(time)]
    switch request.kind {
    case .request:
      payload["request_id"] = .string(request.id)
      payload["method"] = .string(request.methodName)
    case .message:
      payload["message_id"] = .string(request.id)
      payload["method"] = .string(refusedMessage)
    }
    switch result {
    case .success(let answer):
      payload["ok"] = true
      payload["response"] = answer
      return ("worker.response", payload)
    case .failure(let refusal):
      payload["code"] = .string(refusal.code.rawValue)
      payload["message"] = JSONValue.string(refusal.message).cut(toBytes: 4_096)
      payload["retryable"] = .bool(refusal.isRetryable)
      payload["details"] = .object(refusal.details)
      return (request.kind == .request ? "worker.error" : LaneEvent.type, payload)
    }
  }
}
