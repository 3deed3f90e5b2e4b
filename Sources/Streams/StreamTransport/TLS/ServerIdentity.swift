import HTTP3Engine
import Logging

/// A certificate chain and its private key, by which a server proves its names, and perhaps an OCSP response.
///
/// A server that has several presents the one with the name that a client asks for (RFC 6066 § 3): a name of the
/// certificate itself rather than a wildcard, and the server's first identity where there is none, or no name is asked for.
public struct ServerIdentity: Hashable, Sendable {
  /// The certificate chain in PEM form, leaf first.
  public var certificatePEM: String
  /// The private key in PEM form (PKCS #8).
  public var privateKeyPEM: String
  /// An OCSP response about the leaf, in DER form (RFC 6960), that is stapled to it over HTTP/3; nil for none.
  ///
  /// One that would not help (expired, about another certificate, not "good", not signed by the authority, whose
  /// certificate has to be in the chain) is left out, with a line in the log. Over TCP there is no staple, because
  /// SwiftNIO's TLS cannot send one.
  public var ocspResponse: [UInt8]?

  /// Creates an identity; it is checked when a server takes it.
  public init(certificatePEM: String, privateKeyPEM: String, ocspResponse: [UInt8]? = nil) {
    self.certificatePEM = certificatePEM
    self.privateKeyPEM = privateKeyPEM
    self.ocspResponse = ocspResponse
  }

  /// The identity as the engine has it.
  func load() throws(HTTP3Error) -> LoadedCredentials {
    try LoadedCredentials(
      certificateChainPEM: Array(certificatePEM.utf8), privateKeyPEM: Array(privateKeyPEM.utf8),
      ocsp: ocspResponse.map { ($0, TransportClock.continuous.secondsSince1970) })
  }
}

extension [ServerIdentity] {
  /// The identities as the engine has them; the log has a line for each OCSP response that is not stapled.
  func load(_ logger: Logger) throws(HTTP3Error) -> [LoadedCredentials] {
    var loaded: [LoadedCredentials] = []
    for identity in self {
      let credentials = try identity.load()
      if let reason = credentials.stapleRefusal {
        logger.warning(
          "The OCSP response for \(credentials.names.first ?? "the certificate") is not stapled. \(reason)")
      }
      loaded.append(credentials)
    }
    return loaded
  }

  /// The choice among the identities by name, as HTTP/3 makes it: tells the place of the one for a name, or for none.
  package func choiceByName() throws(TransportError) -> @Sendable (String?) -> Int {
    do {
      var names: [[String]] = []
      for var identity in self {
        // Names do not depend on it.
        identity.ocspResponse = nil
        names.append(try identity.load().names)
      }
      let index = ServerNameIndex(names)
      return { index.index(for: $0) }
    } catch {
      throw TransportError(error)
    }
  }
}
