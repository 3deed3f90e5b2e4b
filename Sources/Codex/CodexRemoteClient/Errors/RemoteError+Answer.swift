import ResolveKitCore
import StreamTransport

extension RemoteError {
  /// The longest sentence of a companion that is kept, in characters.
  private static let longestMessage = 1_000
  /// The longest time that a companion may order.
  private static let longestOrder = 300

  /// The error that an answer outside 200 to 299 stands for: its body is `{"error": "…"}`.
  package init(status: Int, body: [UInt8], retryAfterSeconds: Int? = nil) {
    let code: Code =
      switch status {
      case 401: .unauthorized
      case 403: .forbidden
      case 404: .notFound
      case 409: .conflict
      case 410: .gone
      case 429: .tooManyRequests
      case 400..<500: .refused
      case 501: .unsupported
      case 500...: .server
      case _: .malformed
      }
    let words = (try? JSONValue(parsing: body))?.objectValue?["error"]?.stringValue ?? ""
    let message =
      words.isEmpty ? "The companion answered with status \(status)." : String(words.prefix(Self.longestMessage))
    let order = retryAfterSeconds.map { Duration.seconds(min(max(0, $0), Self.longestOrder)) }
    self.init(code, message, status: status, retryAfter: order)
  }

  /// The error of a request that had no answer, or of an event stream that is not available.
  package init(_ error: any Error) {
    switch error {
    case let error as RemoteError: self = error
    case let error as TransportError where error.code == .certificateRejected:
      self.init(
        .certificate,
        "\(error.message) If the companion made a new one, remove the host and pair again.", cause: error)
    case let error as TransportError where error.code == .invalidRequest:
      self.init(.misuse, error.message, cause: error)
    case let error as TransportError where error.code == .limitExceeded:
      self.init(.malformed, "The companion's answer is too large: \(error.message)", cause: error)
    case let error as TransportError: self.init(.network, error.description, cause: error)
    case EventSourceError.status(let code, let body): self.init(status: code, body: body)
    case EventSourceError.transport(let error): self.init(error)
    case let error as EventSourceError: self.init(.malformed, error.description, cause: error)
    case let error as JSONError:
      self.init(.malformed, "The companion's answer is not what was expected: \(error).", cause: error)
    case is CancellationError: self.init(.network, "It was cancelled.", cause: error)
    case _: self.init(.network, "\(error)", cause: error)
    }
  }
}
