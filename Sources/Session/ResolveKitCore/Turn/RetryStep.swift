/// A step of the connection that is tried again after a back-off, which needs randomness and so belongs to the shell.
package enum RetryStep: String, Codable, Sendable {
  case createSession
  /// Only after a stream was refused for reasons that pass, such as 503.
  case openStream
}
