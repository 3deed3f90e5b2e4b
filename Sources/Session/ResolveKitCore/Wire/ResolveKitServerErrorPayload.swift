/// Payload of `error`: the turn has ended.
public struct ResolveKitServerErrorPayload: Hashable, Sendable, Codable {
  public var code: String
  public var message: String
  public var recoverable: Bool

  public init(code: String, message: String, recoverable: Bool) {
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

  /// Whether it is a left-over of an older transport: another connection took over, which is no end of the turn.
  package var isSuperseded: Bool { code == "superseded" }
}
