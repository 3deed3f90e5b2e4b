/// The certificates that a client trusts, the one that it shows, and whether its TLS secrets are logged.
public struct TLSOptions: Hashable, Sendable {
  /// The condition for trusting a server's certificate; there is no way to accept any certificate.
  public enum Trust: Hashable, Sendable {
    /// The authorities that the operating system trusts.
    case system
    /// The authorities in a file of PEM certificates, and no others.
    case certificateFile(String)
    /// The authorities in a text of PEM certificates, and no others.
    case certificates(pem: String)
    /// The one certificate with this SHA-256 of its DER form, whatever its chain and names say.
    case pinned(sha256: [UInt8])

    /// A pin by its 64 hexadecimal digits, with or without colons between them; nil for any other text.
    package init?(pinnedDigits text: String) {
      let digits = text.filter { $0 != ":" }
      guard digits.utf8.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
      let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
      self = .pinned(sha256: bytes)
    }
  }

  /// The condition for trusting the server's certificate.
  public var trust: Trust
  /// The certificate that is shown to a server that asks for one, and its key; nil for none.
  ///
  /// What an HTTP/3 transport with an identity learns of servers, such as session tickets, it keeps to itself: who
  /// resumes a session is for the server the one who began it.
  public var identity: ClientIdentity?
  /// The file that TLS secrets are appended to in the format of `SSLKEYLOGFILE` (RFC 9850); nil, the default, keeps
  /// them in memory whatever the environment says.
  public var keyLogFile: String?

  /// Creates options; by default the system's authorities are trusted, no certificate is shown and no secret is logged.
  public init(trust: Trust = .system, keyLogFile: String? = nil, identity: ClientIdentity? = nil) {
    self.trust = trust
    self.keyLogFile = keyLogFile
    self.identity = identity
  }
}
