import CQUIC

/// The judge of the certificates that a session's peer sends: a client's of its server, and a server's of its client
/// where it asks for one.
///
/// A server that asks gives out no tickets and takes none. A session that is resumed brings no certificate: GnuTLS
/// (3.7.9) takes it out of the ticket, asks nobody about it, and does not care whether one was required when the ticket
/// was given. It also keeps what is in a ticket that it opened and did not use, because the client gave a wrong age for
/// it: with an empty Certificate behind it, a ticket that was seen on the network would make anybody the client that it
/// was given to. And early data would come before the certificate was judged anew, and could be replayed in the
/// client's name.
final class PeerJudge {
  private enum Peer {
    case server(CertificateVerifier, host: String)
    case client(ClientAuthentication)
    /// Nobody asks for its certificate.
    case unknown
  }

  private let peer: Peer
  /// Whether a server has asked about its client, and there was nothing against it.
  private(set) var isClientAccepted = false

  /// A client's, of its server.
  init(_ verifier: CertificateVerifier, host: String) {
    peer = .server(verifier, host: host)
  }

  /// A server's; nil asks for nothing.
  init(_ clients: ClientAuthentication?) {
    peer = clients.map { .client($0) } ?? .unknown
  }

  /// Whether sessions may be resumed.
  var allowsTickets: Bool {
    switch peer {
    case .server, .unknown: true
    case .client: false
    }
  }

  /// Lets GnuTLS ask for the peer's certificates, and ask about them inside the handshake, so that nothing of an
  /// impostor's reaches the application: a client sends no request before it, and a server has no key for one.
  func prepare(_ session: gnutls_session_t?) {
    switch peer {
    case .server: break
    case .client(let clients):
      let demand =
        switch clients.demand {
        case .requested: GNUTLS_CERT_REQUEST
        case .required: GNUTLS_CERT_REQUIRE
        }
      gnutls_certificate_server_set_request(session, demand)
    case .unknown: return
    }
    gnutls_session_set_verify_function(session) { handle in
      delegate(behind: handle)?.verifyPeer() ?? -1
    }
  }

  /// Accepts the certificates that the peer has sent (DER, leaf first), or throws.
  func judge(_ chain: [[UInt8]]) throws(HTTP3Error) {
    switch peer {
    case .server(let verifier, let host): try verifier.verify(chain: chain, host: host)
    case .client(let clients):
      try clients.verify(chain)
      isClientAccepted = true
    case .unknown: throw HTTP3Error(.internal, "This server asks for no certificate.")
    }
  }

  /// Whether the certificates of an earlier connection's server are good now, as a resumed handshake brings none.
  func isServerAccepted(_ chain: [[UInt8]]) -> Bool {
    guard case .server(let verifier, let host) = peer else { return false }
    return (try? verifier.verify(chain: chain, host: host)) != nil
  }

  /// Throws at the end of a handshake in which a server asked for a certificate and nobody was asked about it.
  func requireVerdict() throws(HTTP3Error) {
    if case .client = peer, !isClientAccepted { throw ClientAuthentication.missing }
  }
}
