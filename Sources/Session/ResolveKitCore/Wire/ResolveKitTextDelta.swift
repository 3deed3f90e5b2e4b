/// Payload of `assistant_text_delta`.
public struct ResolveKitTextDelta: Hashable, Sendable, Codable {
  /// The text to append.
  public var delta: String
  /// The whole text so far; it wins over what the deltas add up to.
  public var accumulated: String?

  /// Creates a payload, as a backend does.
  package init(delta: String, accumulated: String?) {
    self.delta = delta
    self.accumulated = accumulated
  }

  /// Reads a payload; nil where it carries no text at all.
  package init?(payload: JSONObject) {
    let delta = payload["delta"]?.stringValue
    accumulated = payload["accumulated"]?.stringValue
    guard delta != nil || accumulated != nil else { return nil }
    self.delta = delta ?? ""
  }
}
