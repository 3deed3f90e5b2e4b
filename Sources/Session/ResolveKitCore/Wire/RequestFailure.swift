/// The failure of a request: the status, the backend's code where it gave one, and a sentence.
package struct RequestFailure: Error, Hashable, Sendable, Codable {
  /// A failure's class, by what a client does about it.
  package enum Kind: Sendable {
    /// No answer, or one that another try may change (408, 425, 429, 5xx).
    case transient
    /// The session, its token or the key is not accepted (401, 403, 404, 410): a new session may be.
    case sessionRefused
    /// 409.
    case conflict
    /// Any other status: trying again changes nothing.
    case final
  }

  /// nil: there was no answer.
  package var status: Int?
  /// The backend's word for the failure, such as `chat_unavailable`; nil where it gave none.
  package var code: String?
  /// A sentence for a person: the backend's own where it gave one.
  package var message: String
  /// Seconds that the server asked to wait before another try (`Retry-After`), at most ``maximumRetryAfter``.
  package var retryAfterSeconds: Int?

  /// The code of a request that was not sent for want of a key.
  package static let missingKey = "missing_api_key"

  /// A server that orders a longer wait is asked again after this one, in seconds.
  package static let maximumRetryAfter = 3600

  /// Creates a failure; `retryAfterSeconds` is clamped to 0 through ``maximumRetryAfter``.
  package init(status: Int? = nil, code: String? = nil, message: String, retryAfterSeconds: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfterSeconds = retryAfterSeconds.map { min(max($0, 0), Self.maximumRetryAfter) }
  }

  /// The failure's class.
  package var kind: Kind {
    switch status {
    case nil, 408, 425, 429: .transient
    case .some(500...): .transient
    case 401, 403, 404, 410: .sessionRefused
    case 409: .conflict
    default: .final
    }
  }

  /// Whether a connection that ends with it is blocked, and not only failed: the key is refused (401), chat is not open
  /// to this app (403), or this SDK is too old (426).
  package var isBlocking: Bool { status == 401 || status == 403 || status == 426 }

  /// A remedy, as a sentence; nil where the status suggests none.
  package var remedy: String? {
    switch status {
    case 401 where code == Self.missingKey: "Give one through the configuration's apiKeyProvider."
    case 401: "Check that the API key is this server's."
    case 403: "Check that chat is enabled for this app."
    case 404: "Check the base URL, or start a new session."
    case 409: "Wait until the turn that is running has ended."
    case 410: "Start a new session."
    case 422: "Check what the configuration's providers answer against the server's limits."
    case 426: "Update the SDK."
    case 429, 503: retryAfterSeconds.map { "Try again in \($0) s." } ?? "Try again later."
    case .some(500...): "Try again later."
    default: nil
    }
  }
}

extension RequestFailure: CustomStringConvertible {
  /// The message, status and code, and the remedy.
  package var description: String {
    let marks = [status.map(String.init), code].compactMap(\.self).joined(separator: ", ")
    let sentence = marks.isEmpty ? message : "\(message) (\(marks))"
    return remedy.map { "\(sentence). \($0)" } ?? sentence
  }
}
