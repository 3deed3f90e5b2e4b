import HTTP3Engine

/// A server's demand for certificates of its clients (mutual TLS), and the authorities that they have to be signed by.
///
/// A certificate has to chain to one of the authorities, be for clients (`clientAuth`, where it names purposes), and be
/// valid now; a chain may have 16 certificates, and 32 KiB over HTTP/3 (100 KiB over TCP). Whether it was revoked is
/// not asked: use certificates that last for days, or look at ``ClientCertificate`` in the handler. The demand holds
/// for all names of a server, as one connection may serve several.
///
/// With a policy there are no session tickets and no early data over HTTP/3: each connection proves anew that the
/// client has the key.
public struct ClientCertificatePolicy: Hashable, Sendable {
  /// The clients that are served.
  public enum Demand: Hashable, Sendable {
    /// Also those that have no certificate; the handler decides. A certificate that is not good ends the connection.
    case requested
    /// Those with a good certificate alone. Others get no further than the TLS handshake.
    case required
  }

  /// The clients that are served.
  public var demand: Demand
  /// The certificates of the authorities in PEM form, and no others; the system's are not asked.
  public var authoritiesPEM: String

  /// Creates a policy; the authorities are checked when a server takes it.
  public init(_ demand: Demand = .required, authoritiesPEM: String) {
    self.demand = demand
    self.authoritiesPEM = authoritiesPEM
  }

  /// The policy as the engine has it; throws with a sentence where the authorities cannot be read.
  func load() throws(HTTP3Error) -> ClientAuthentication {
    let demand: ClientAuthentication.Demand =
      switch demand {
      case .requested: .requested
      case .required: .required
      }
    do {
      return try ClientAuthentication(demand, authoritiesPEM: Array(authoritiesPEM.utf8)) {
        ClientCertificate(der: $0) != nil
      }
    } catch {
      throw HTTP3Error(.internal, "The authorities of clients' certificates cannot be used: \(error.message)")
    }
  }
}

extension ClientCertificatePolicy? {
  /// A server's policy with other authorities; nil where there are none to take. Throws ``TransportError`` for a server
  /// that has no policy.
  package func replacingAuthorities(with pem: String?) throws(TransportError) -> ClientCertificatePolicy? {
    guard let pem else { return nil }
    guard var policy = self else {
      throw TransportError(
        .invalidRequest,
        "The server asks its clients for no certificates; start it with a policy before it takes authorities.")
    }
    policy.authoritiesPEM = pem
    return policy
  }
}
