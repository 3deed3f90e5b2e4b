package import ResolveKitCore

/// The failure of a call of the session API. Failures below HTTP are ``/StreamTransport/TransportError``.
public enum ResolveKitAPIClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No API key was given: the provider answered nil or an empty string.
  case missingAPIKey
  /// The server's answer is not what the contract says.
  case invalidResponse(reason: String)
  /// 403 with the code `chat_unavailable`: the capability token is no longer good, or the app is disabled.
  case chatUnavailable(message: String)
  /// Any other status outside 200 to 299, with the server's own words.
  case serverError(statusCode: Int, message: String)
  /// 429, 503 or another status with a `Retry-After`: trying again is worth it, but not before that time.
  case retryLater(statusCode: Int, message: String, after: Duration)
  /// 405: the server does not know this way of calling.
  case methodNotAllowed
  /// No whole answer within the time allowed for this call.
  case timedOut(after: Duration)

  /// The HTTP status that the server answered, nil where there was none.
  public var statusCode: Int? {
    switch self {
    case .missingAPIKey, .invalidResponse, .timedOut: nil
    case .chatUnavailable: 403
    case .serverError(let statusCode, _), .retryLater(let statusCode, _, _): statusCode
    case .methodNotAllowed: 405
    }
  }

  /// Whether the API key or the session's capability token was refused.
  public var isAuthorizationFailure: Bool {
    switch self {
    case .missingAPIKey, .chatUnavailable: true
    case .serverError(let statusCode, _), .retryLater(let statusCode, _, _): statusCode == 401 || statusCode == 403
    case .invalidResponse, .methodNotAllowed, .timedOut: false
    }
  }

  public var description: String {
    switch self {
    case .missingAPIKey: "No API key; give one through the configuration's apiKeyProvider."
    case .invalidResponse(let reason): "The server's answer can't be used: \(reason)"
    case .chatUnavailable(let message): message.isEmpty ? "Chat is unavailable, try again later." : message
    case .serverError(401, let message):
      "The server refused the API key (\(message)); check that it is this server's key."
    case .serverError(let statusCode, let message): "The server answered \(statusCode): \(message)"
    case .retryLater(let statusCode, let message, let duration):
      "The server answered \(statusCode): \(message) Try again in \(duration)."
    case .methodNotAllowed: "The server answered 405: it does not know this call; check the base URL."
    case .timedOut(let duration): "No answer from the server within \(duration)."
    }
  }
}

extension ResolveKitAPIClientError {
  /// The error that an answer outside 200 to 299 stands for.
  init(_ failure: RequestFailure) {
    switch failure.status {
    case nil: self = .invalidResponse(reason: failure.message)
    case 405?: self = .methodNotAllowed
    case 403? where failure.code == "chat_unavailable": self = .chatUnavailable(message: failure.message)
    case let statusCode?:
      if let seconds = failure.retryAfterSeconds {
        self = .retryLater(statusCode: statusCode, message: failure.message, after: .seconds(seconds))
      } else {
        self = .serverError(statusCode: statusCode, message: failure.message)
      }
    }
  }

  /// The same as a failure that the turn machine decides on; without a status where there was no answer.
  package var requestFailure: RequestFailure {
    switch self {
    // Without a key the server would answer 401, so nobody asks it.
    case .missingAPIKey: RequestFailure(status: 401, code: RequestFailure.missingKey, message: "No API key")
    case .chatUnavailable: RequestFailure(status: 403, code: "chat_unavailable", message: description)
    case .serverError(401, let words): RequestFailure(status: 401, message: "The server refused the API key: \(words)")
    // A failure says its status itself.
    case .serverError(let statusCode, let words): RequestFailure(status: statusCode, message: words)
    case .retryLater(let statusCode, let words, let duration):
      RequestFailure(status: statusCode, message: words, retryAfterSeconds: Int(clamping: duration.components.seconds))
    case .invalidResponse, .methodNotAllowed, .timedOut: RequestFailure(status: statusCode, message: description)
    }
  }
}
