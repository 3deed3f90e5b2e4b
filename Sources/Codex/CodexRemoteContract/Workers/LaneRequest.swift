package import ResolveKitCore

/// A request as a worker's log brings it to the worker's device, or a person's message, which is one to start a turn.
package struct LaneRequest: Equatable, Sendable {
  /// The report of its end.
  package enum Kind: Sendable {
    /// A receipt, whatever the outcome.
    case request
    /// The turn's events; a separate event where it is refused.
    case message
  }

  private static let requestType = "worker.request"
  private static let eventType = "worker.event"
  private static let messageMethod = "ios/user_message"
  /// The contract has 160 characters.
  private static let maximumIDBytes = 640

  package let kind: Kind
  package let id: String
  /// The method's name as it was sent; the receipt repeats it.
  package let methodName: String
  package let params: JSONObject
  /// The thread that is meant: that of the request wins over that of its params.
  package let threadID: String?
  /// The time, by the runtime's clock, at which the runtime answers in the device's place; nil where it is not said.
  package let expiry: String?

  /// The method, where it is one that may be asked for.
  package var method: LaneMethod? { LaneMethod(rawValue: methodName) }

  /// Nil for an event that is neither.
  package init?(type: String, payload: JSONObject) {
    // Servers in another language write an empty object as an empty array.
    let params = payload["params"]?.objectValue ?? [:]
    switch (type, payload["method"]?.stringValue) {
    case (Self.requestType, let method?):
      guard let id = Self.id(payload["request_id"]) else { return nil }
      self.init(
        kind: .request, id: id, methodName: method, params: params,
        threadID: Self.thread(payload["thread_id"], params["threadId"]), expiry: payload["expires_at"]?.stringValue)
    case (Self.eventType, Self.messageMethod):
      guard let id = Self.id(payload["message_id"] ?? params["message_id"]), let text = params["text"] else {
        return nil
      }
      var turn: JSONObject = ["input": [["type": "text", "text": text]]]
      turn["model"] = params["model"]
      turn["effort"] = params["reasoning"]
      self.init(
        kind: .message, id: id, methodName: LaneMethod.turnStart.rawValue, params: turn,
        threadID: Self.thread(payload["thread_id"], params["thread_id"], params["threadId"]), expiry: nil)
    default: return nil
    }
  }

  private init(
    kind: Kind, id: String, methodName: String, params: JSONObject, threadID: String?, expiry: String?
  ) {
    self.kind = kind
    self.id = id
    self.methodName = methodName
    self.params = params
    self.threadID = threadID
    self.expiry = expiry
  }

  private static func id(_ value: JSONValue?) -> String? {
    value?.stringValue.flatMap { !$0.isEmpty && $0.utf8.count <= maximumIDBytes ? $0 : nil }
  }

  private static func thread(_ named: JSONValue?...) -> String? {
    named.lazy.compactMap { $0?.stringValue }.first { !$0.isEmpty }
  }
}
