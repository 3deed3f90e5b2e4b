/// Payload of `error`: the turn has ended.
public struct ResolveKitServerErrorPayload: Hashable, Sendable, Codable {
  /// The server's word for the error, such as `llm_error`; `unknown_error` where it gave none.
  public var code: String
  /// A sentence for the user.
  public var message: String
  /// Whether another message may succeed; true where the server does not say.
  public var recoverable: Bool

  /// Creates a payload, as a backend does.
  package init(code: String, message: String, recoverable: Bool) {
    self.code = code
    self.message = message
    self.recoverable = recoverable
  }

  /// Reads a payload; every field has a reading for its absence, since an error must never get lost.
  package init(payload: JSONObject) {
    code = payload["code"]?.stringValue ?? "unknown_error"
    message = payload["message"]?.stringValue ?? "The backend reported an error without a message."
    recoverable = payload["recoverable"]?.boolValue ?? true
  }

  /// Whether it is a left-over of an older transport: another connection took over, which does not end the turn.
  package var isSuperseded: Bool { code == "superseded" }
}
