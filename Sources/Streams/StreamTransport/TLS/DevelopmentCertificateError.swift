/// A development certificate that could not be made or kept.
public struct DevelopmentCertificateError: Error, CustomStringConvertible, Sendable {
  /// The kind of failure, for a caller to decide on.
  public enum Code: Hashable, Sendable {
    /// A host that is neither a DNS name nor an IP address, or none at all.
    case invalidHost
    /// The directory or a file in it cannot be read or written.
    case file
    /// The certificate could not be signed or read.
    case certificate
  }

  /// The kind of failure.
  public var code: Code
  /// One sentence for a person, with the remedy where there is one.
  public var message: String
  /// The error underneath, where another library or the system reported one.
  public var cause: (any Error)?

  /// Creates an error; `message` names the remedy where there is one.
  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
