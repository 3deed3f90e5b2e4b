/// A client's facts about its connections.
struct StreamClientFacts: Sendable {
  /// `h3`, `h2` or `h1`; ``nothing`` without a connection, ``unknown`` where the client does not say.
  var spoken: String
  var connections: Int
  /// The time at which the first connection was ready, if only known at the end.
  var connected: Int64?
  var software: String

  static let nothing = "none"
  /// The protocol of a client that does not say it.
  static let unknown = "unknown"
}
