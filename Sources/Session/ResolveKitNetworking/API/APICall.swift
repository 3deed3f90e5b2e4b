import HTTPTypes

/// One call of the session API before it is sent.
struct APICall {
  typealias Method = HTTPRequest.Method

  var method: Method
  /// The contract's path, without the base URL's prefix.
  var path: String
  /// The session's capability token, for calls on a session.
  var capability: String?
  /// JSON, nil for calls without a body.
  var body: [UInt8]?
  var timeout: Duration
  /// The most bytes of an answer that are read.
  var answerLimit: Int
}

extension HTTPField.Name {
  static let chatCapability: HTTPField.Name = {
    guard let name = HTTPField.Name("X-Resolvekit-Chat-Capability") else {
      preconditionFailure("Letters and hyphens are a token (RFC 9110 § 5.6.2).")
    }
    return name
  }()
}
