import CQUIC

/// A server's demand for certificates of its clients (RFC 8446 § 4.3.2), and the authorities that they chain to.
package struct ClientAuthentication: Sendable {
  package enum Demand: Hashable, Sendable {
    /// A client may go without one; one that it sends has to be good.
    case requested
    case required
  }

  package let demand: Demand
  private let verifier: CertificateVerifier
  private let isReadable: @Sendable (_ leaf: [UInt8]) -> Bool

  /// - Parameters:
  ///   - authoritiesPEM: the certificates of the authorities; throws with a sentence where there is none, or one cannot
  ///     be read.
  ///   - isReadable: whether the application can read a client's own certificate (DER); one that it cannot is refused,
  ///     so that no client with a certificate looks like one without.
  package init(
    _ demand: Demand, authoritiesPEM: [UInt8], isReadable: @escaping @Sendable (_ leaf: [UInt8]) -> Bool
  ) throws(HTTP3Error) {
    self.demand = demand
    // No certificate is pinned here, and a chain's dates GnuTLS judges by the system's clock.
    verifier = try CertificateVerifier(.authorities(pem: authoritiesPEM)) { 0 }
    self.isReadable = isReadable
  }

  /// Accepts a client's certificates (DER, leaf first), or none where none is required. Throws with the TLS alert that
  /// tells the client why not, and a sentence.
  package func verify(_ chain: [[UInt8]]) throws(HTTP3Error) {
    guard let leaf = chain.first else {
      guard demand == .required else { return }
      throw Self.missing
    }
    try verifier.verify(clientChain: chain)
    guard isReadable(leaf) else {
      throw CertificateOwner.client.unreadable("its form or its kind of key is not known.")
    }
  }

  static let missing = CertificateOwner.client.refusal(
    "The client sent no certificate, and one is required.", GNUTLS_A_CERTIFICATE_REQUIRED)
}
