/// The form of an access log's lines.
public enum AccessLogFormat: String, Hashable, Sendable, CaseIterable {
  /// The Combined Log Format of Apache and nginx, and behind it `name=value` for what that has no place for.
  case combined
  /// One JSON object a line.
  case json
}
