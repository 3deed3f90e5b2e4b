/// Why a request got no 2xx: the status, the backend's code where it gave one, and a sentence.
public struct RequestFailure: Error, Hashable, Sendable, Codable {
  /// What a client does about it.
  public enum Kind: Sendable {
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
  public var status: Int?
  public var code: String?
  public var message: String

  public init(status: Int? = nil, code: String? = nil, message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  public var kind: Kind {
    switch status {
    case nil, 408, 425, 429: .transient
    case .some(500...): .transient
    case 401, 403, 404, 410: .sessionRefused
    case 409: .conflict
    default: .final
    }
  }
}

extension RequestFailure: CustomStringConvertible {
  public var description: String {
    switch (status, code) {
    case (let status?, let code?): "\(message) (\(status), \(code))"
    case (let status?, nil): "\(message) (\(status))"
    case (nil, let code?): "\(message) (\(code))"
    case (nil, nil): message
    }
  }
}
