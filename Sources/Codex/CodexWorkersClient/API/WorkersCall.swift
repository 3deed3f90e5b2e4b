import HTTPTypes
import ResolveKitCore

/// One call of the worker API before it is sent.
struct WorkersCall {
  var method: HTTPRequest.Method
  /// The contract's path, without the base URL's prefix.
  var path: String
  var body: JSONValue?
  var requestID: String
  var idempotencyKey: String?
  var timeout: Duration
  /// The most bytes of an answer that are read.
  var answerLimit = 4 << 20

  static let root = "/api/runtime/codex/workers"
}
