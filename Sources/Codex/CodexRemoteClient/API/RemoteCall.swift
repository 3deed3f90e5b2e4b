import HTTPTypes
import ResolveKitCore

/// One request before it is sent.
struct RemoteCall {
  var method: HTTPRequest.Method
  /// Path and query, percent-encoded.
  var path: String
  var body: JSONObject?
  /// From the start of a connection to the last byte of the answer.
  var timeout: Duration
  /// The most bytes of an answer that are read.
  var answerLimit: Int

  init(
    _ method: HTTPRequest.Method, _ path: String, body: JSONObject? = nil, timeout: Duration = .seconds(20),
    answerLimit: Int = 4 << 20
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.timeout = timeout
    self.answerLimit = answerLimit
  }
}
