/// What a client knows of its connections.
struct StreamClientFacts: Sendable {
  /// `h3`, `h2` or `h1`; ``nothing`` without a connection.
  var spoken: String
  var connections: Int
  /// When the first connection was ready, if only the end tells.
  var connected: Int64?
  var software: String

  static let nothing = "none"
}
