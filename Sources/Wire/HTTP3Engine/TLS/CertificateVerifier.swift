import CQUIC
import Synchronization

/// Decides whether a server's certificate is accepted; HTTP/3 and HTTP/1.1 ask the same one, so they answer alike.
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

  /// Accepts the chain (DER, leaf first) for the host or throws with `certificateRejected` and a sentence that says why.
  package func verify(chain: [[UInt8]], host: String) throws(HTTP3Error) {
    guard let leaf = chain.first else { throw rejected("The server sent no certificate.") }
    guard chain.count <= 16 else { throw rejected("The server sent more than 16 certificates.") }
    var certificates: [gnutls_x509_crt_t?] = []
    defer { for certificate in certificates { gnutls_x509_crt_deinit(certificate) } }
    for encoded in chain {
      var certificate: gnutls_x509_crt_t?
      try GnuTLS.check(gnutls_x509_crt_init(&certificate), "Making a certificate")
      certificates.append(certificate)
      let code = GnuTLS.withDatum(encoded) {
        gnutls_x509_crt_import(certificate, $0, GNUTLS_X509_FMT_DER)
      }
      guard code >= 0 else {
        throw rejected("The server's certificate cannot be read: \(GnuTLS.message(code))")
      }
    }
    if case .pinned(let digest) = trust {
      try verify(leaf, certificates[0], pinnedTo: digest)
    } else {
      try verify(&certificates, host: host)
    }
  }

  private func verify(
    _ leaf: [UInt8], _ certificate: gnutls_x509_crt_t?, pinnedTo digest: [UInt8]
  ) throws(HTTP3Error) {
    var actual = [UInt8](repeating: 0, count: 32)
    try GnuTLS.check(
      gnutls_hash_fast(GNUTLS_DIG_SHA256, leaf, leaf.count, &actual), "Hashing a certificate")
    guard actual == digest else {
      throw rejected("The server's certificate is not the pinned one; it may have been renewed or replaced.")
    }
    var bits: UInt32 = 0
    let algorithm = gnutls_x509_crt_get_pk_algorithm(certificate, &bits)
    guard algorithm >= 0,
      gnutls_pk_bits_to_sec_param(gnutls_pk_algorithm_t(UInt32(algorithm)), bits).rawValue >= Self.strength.rawValue
    else { throw rejected(Self.weakKey) }
    let now = secondsSince1970()
    guard gnutls_x509_crt_get_activation_time(certificate) <= now,
      gnutls_x509_crt_get_expiration_time(certificate) >= now
    else { throw rejected("The pinned certificate has expired or is not yet valid.") }
  }

  private func verify(
    _ certificates: inout [gnutls_x509_crt_t?], host: String
  ) throws(HTTP3Error) {
    var status: UInt32 = 0
    var name = Array(host.utf8CString)
    var purpose = Array(GNUTLS_KP_TLS_WWW_SERVER.utf8CString)
    let code = name.withUnsafeMutableBytes { name in
      purpose.withUnsafeMutableBytes { purpose in
        // Sizes are 0: GnuTLS takes both as terminated strings.
        var data = [
          gnutls_typed_vdata_st(
            type: GNUTLS_DT_DNS_HOSTNAME,
            data: name.baseAddress?.assumingMemoryBound(to: UInt8.self), size: 0),
          gnutls_typed_vdata_st(
            type: GNUTLS_DT_KEY_PURPOSE_OID,
            data: purpose.baseAddress?.assumingMemoryBound(to: UInt8.self), size: 0),
        ]
        return list.withLock { list in
          gnutls_x509_trust_list_verify_crt2(
            list.handle, &certificates, UInt32(certificates.count), &data, 2, Self.profile, &status, nil)
        }
      }
    }
    try GnuTLS.check(code, "Verifying the server's certificate")
    guard status != 0 else { return }
    throw rejected(Self.sentence(for: status, host: host))
  }

  /// GNUTLS_PROFILE_TO_VFLAGS of the profile of that strength, a macro that Swift does not import.
  private static let profile = UInt32(GNUTLS_PROFILE_MEDIUM.rawValue) << 24

  private static let weakKey =
    "The key of the server's certificate is too weak; it has to have the strength of RSA with 2048 bits."

  private static func sentence(for status: UInt32, host: String) -> String {
    func has(_ flag: gnutls_certificate_status_t) -> Bool { status & flag.rawValue != 0 }
    if has(GNUTLS_CERT_EXPIRED) { return "The server's certificate has expired." }
    if has(GNUTLS_CERT_NOT_ACTIVATED) { return "The server's certificate is not yet valid; check the clock." }
    if has(GNUTLS_CERT_UNEXPECTED_OWNER) {
      return "The server's certificate is for another name than '\(host)'."
    }
    if has(GNUTLS_CERT_PURPOSE_MISMATCH) { return "The certificate is not one for a server." }
    if has(GNUTLS_CERT_INSECURE_ALGORITHM) {
      return "A key or a signature in the server's chain of certificates is too weak; "
        + "keys have to have the strength of RSA with 2048 bits, and signatures that of SHA-256."
    }
    if has(GNUTLS_CERT_SIGNATURE_FAILURE) {
      return "The server's certificate names an authority that is trusted here, and was not signed by it."
    }
    // Constraints fail when a trusted certificate has the signer's name and another key.
    if has(GNUTLS_CERT_SIGNER_NOT_FOUND) || has(GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE) {
      return "The server's certificate is signed by no authority that is trusted here; "
        + "give its CA file if it is a private one."
    }
    var text = gnutls_datum_t()
    let code = gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0)
    guard code >= 0, let data = text.data else { return "The server's certificate is not trusted." }
    defer { CQUIC_gnutls_free(data) }
    return String(decoding: UnsafeBufferPointer(start: data, count: Int(text.size)), as: UTF8.self)
  }

  private func rejected(_ message: String) -> HTTP3Error {
    HTTP3Error(.certificateRejected, message)
  }
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
