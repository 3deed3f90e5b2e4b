import CQUIC
import Synchronization

/// Decides whether a peer's certificate is accepted; HTTP/3 and HTTP/1.1 ask the same one, so they answer alike.
///
/// Whether a certificate was revoked is not asked: no list of revoked ones is loaded, and an OCSP response that the server
/// staples is not read.
package final class CertificateVerifier: Sendable {
  /// The certificates to trust.
  package enum Trust: Hashable, Sendable {
    /// The certificate authorities of the system.
    case system
    /// The certificates in PEM form, and no others.
    case authorities(pem: [UInt8])
    /// Exactly the certificate whose DER form has this SHA-256; it stands in place of chain and name.
    case pinned(sha256: [UInt8])
  }

  /// 112 bits of security (RSA with 2 048 bits), for each key of a chain and for a pinned one.
  private static let strength = GNUTLS_SEC_PARAM_MEDIUM

  private let trust: Trust
  private let list: Mutex<TrustList>
  private let secondsSince1970: @Sendable () -> Int

  /// - Parameters:
  ///   - trust: the certificates to believe.
  ///   - secondsSince1970: the time by which a pinned certificate's dates are judged. A chain's dates GnuTLS judges by the
  ///     system's clock: it takes no time for one verification, the function that replaces its clock does so for the whole
  ///     process, ages of tickets included, and only GnuTLS knows which of the certificates that were sent are in the chain.
  package init(_ trust: Trust, secondsSince1970: @escaping @Sendable () -> Int) throws(HTTP3Error) {
    self.trust = trust
    self.secondsSince1970 = secondsSince1970
    let list = try TrustList()
    switch trust {
    case .system:
      let count = gnutls_x509_trust_list_add_system_trust(list.handle, 0, 0)
      guard count > 0 else {
        throw HTTP3Error(
          .certificateRejected,
          "The system has no certificate authorities; install the package ca-certificates or give a CA file.")
      }
    case .authorities(let pem):
      let count = GnuTLS.withDatum(pem) {
        gnutls_x509_trust_list_add_trust_mem(list.handle, $0, nil, GNUTLS_X509_FMT_PEM, 0, 0)
      }
      guard count > 0 else {
        throw HTTP3Error(.certificateRejected, "The CA file holds no certificate in PEM form.")
      }
    case .pinned(let digest):
      guard digest.count == 32 else {
        throw HTTP3Error(
          .certificateRejected, "A pin is the 32 bytes of a SHA-256, but \(digest.count) were given.")
      }
    }
    self.list = Mutex(list)
  }

  /// Accepts a server's chain (DER, leaf first) for the host or throws with `certificateRejected` and a sentence that
  /// says why.
  package func verify(chain: [[UInt8]], host: String) throws(HTTP3Error) {
    try verify(chain, of: .server, host: host)
  }

  /// Accepts a client's chain (DER, leaf first) or throws with the TLS alert for the client and a sentence that says why.
  package func verify(clientChain chain: [[UInt8]]) throws(HTTP3Error) {
    try verify(chain, of: .client, host: nil)
  }

  private func verify(_ chain: [[UInt8]], of owner: CertificateOwner, host: String?) throws(HTTP3Error) {
    guard let leaf = chain.first else { throw owner.refusal("There is no certificate.") }
    guard chain.count <= CertificateMessage.mostCertificates else { throw owner.breach(.tooMany) }
    var certificates: [gnutls_x509_crt_t?] = []
    defer { for certificate in certificates { gnutls_x509_crt_deinit(certificate) } }
    for encoded in chain {
      var certificate: gnutls_x509_crt_t?
      try GnuTLS.check(gnutls_x509_crt_init(&certificate), "Making a certificate")
      certificates.append(certificate)
      let code = GnuTLS.withDatum(encoded) {
        gnutls_x509_crt_import(certificate, $0, GNUTLS_X509_FMT_DER)
      }
      guard code >= 0 else { throw owner.unreadable(GnuTLS.message(code)) }
    }
    if case .pinned(let digest) = trust {
      try verify(leaf, certificates[0], of: owner, pinnedTo: digest)
    } else {
      try verify(&certificates, of: owner, host: host)
    }
  }

  private func verify(
    _ leaf: [UInt8], _ certificate: gnutls_x509_crt_t?, of owner: CertificateOwner, pinnedTo digest: [UInt8]
  ) throws(HTTP3Error) {
    var actual = [UInt8](repeating: 0, count: 32)
    try GnuTLS.check(
      gnutls_hash_fast(GNUTLS_DIG_SHA256, leaf, leaf.count, &actual), "Hashing a certificate")
    guard actual == digest else {
      throw owner.refusal("The certificate is not the pinned one; it may have been renewed or replaced.")
    }
    var bits: UInt32 = 0
    let algorithm = gnutls_x509_crt_get_pk_algorithm(certificate, &bits)
    guard algorithm >= 0,
      gnutls_pk_bits_to_sec_param(gnutls_pk_algorithm_t(UInt32(algorithm)), bits).rawValue >= Self.strength.rawValue
    else { throw owner.weakKey }
    let now = secondsSince1970()
    guard gnutls_x509_crt_get_activation_time(certificate) <= now,
      gnutls_x509_crt_get_expiration_time(certificate) >= now
    else { throw owner.refusal("The pinned certificate has expired or is not yet valid.") }
  }

  private func verify(
    _ certificates: inout [gnutls_x509_crt_t?], of owner: CertificateOwner, host: String?
  ) throws(HTTP3Error) {
    var status: UInt32 = 0
    var name = Array((host ?? "").utf8CString)
    var purpose = Array(owner.purpose.utf8CString)
    let code = name.withUnsafeMutableBytes { name in
      purpose.withUnsafeMutableBytes { purpose in
        // Sizes are 0: GnuTLS takes both as terminated strings.
        var data = [
          gnutls_typed_vdata_st(
            type: GNUTLS_DT_KEY_PURPOSE_OID,
            data: purpose.baseAddress?.assumingMemoryBound(to: UInt8.self), size: 0)
        ]
        if host != nil {
          data.append(
            gnutls_typed_vdata_st(
              type: GNUTLS_DT_DNS_HOSTNAME,
              data: name.baseAddress?.assumingMemoryBound(to: UInt8.self), size: 0))
        }
        return list.withLock { list in
          gnutls_x509_trust_list_verify_crt2(
            list.handle, &certificates, UInt32(certificates.count), &data, UInt32(data.count), Self.profile, &status,
            nil)
        }
      }
    }
    try GnuTLS.check(code, "Verifying a certificate")
    guard status == 0 else { throw owner.refusal(for: status, host: host) }
  }

  /// GNUTLS_PROFILE_TO_VFLAGS of the profile of that strength, a macro that Swift does not import.
  private static let profile = UInt32(GNUTLS_PROFILE_MEDIUM.rawValue) << 24
}

/// Owns GnuTLS's list of trusted certificates.
///
/// Sendable by hand: the handle leaves the owner only inside its lock.
private final class TrustList: @unchecked Sendable {
  let handle: gnutls_x509_trust_list_t?

  init() throws(HTTP3Error) {
    var handle: gnutls_x509_trust_list_t?
    try GnuTLS.check(gnutls_x509_trust_list_init(&handle, 0), "Making a trust list")
    self.handle = handle
  }

  deinit {
    gnutls_x509_trust_list_deinit(handle, 1)
  }
}
