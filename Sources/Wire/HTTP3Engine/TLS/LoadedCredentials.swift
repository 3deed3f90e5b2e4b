import CQUIC

/// A certificate chain and its private key as GnuTLS has them; a session that uses them has to keep them.
///
/// Sendable by hand: GnuTLS only reads credentials once they are set up, which the initializer does.
package final class LoadedCredentials: @unchecked Sendable {
  let handle: gnutls_certificate_credentials_t?
  /// The DNS names that the certificate is for (RFC 5280 § 4.2.1.6).
  package private(set) var names: [String] = []
  /// The reason for which the OCSP response is not stapled; nil where it is, or where there is none.
  package private(set) var stapleRefusal: String?

  /// Both in PEM form, the leaf certificate first; throws with a sentence when they cannot be read or do not match.
  ///
  /// - Parameter ocsp: a response for the leaf in DER form (RFC 6960), which is stapled where it is a good one, and the
  ///   seconds since 1970, by which its dates are judged.
  package init(
    certificateChainPEM: [UInt8], privateKeyPEM: [UInt8], ocsp: (response: [UInt8], now: Int)? = nil
  ) throws(HTTP3Error) {
    var handle: gnutls_certificate_credentials_t?
    try GnuTLS.check(gnutls_certificate_allocate_credentials(&handle), "Making credentials")
    self.handle = handle
    let code = GnuTLS.withDatum(certificateChainPEM) { certificate in
      GnuTLS.withDatum(privateKeyPEM) { key in
        gnutls_certificate_set_x509_key_mem2(handle, certificate, key, GNUTLS_X509_FMT_PEM, nil, 0)
      }
    }
    guard code != GNUTLS_E_CERTIFICATE_KEY_MISMATCH else {
      throw HTTP3Error(
        .internal, "The private key is not the one of the certificate; give the key that it was made for.")
    }
    guard code >= 0 else {
      throw HTTP3Error(
        .internal,
        "The certificate and private key cannot be used: \(GnuTLS.message(code)) Both must be PEM and belong together.")
    }
    let chain = try CertificateChain(of: handle)
    names = chain.leafNames
    guard let ocsp else { return }
    do throws(OCSPStaple.Refusal) {
      try OCSPStaple(ocsp.response).check(for: chain, now: ocsp.now)
    } catch {
      stapleRefusal = error.sentence
      return
    }
    let stapled = GnuTLS.withDatum(ocsp.response) {
      gnutls_certificate_set_ocsp_status_request_mem(handle, $0, 0, GNUTLS_X509_FMT_DER)
    }
    if stapled < 0 { stapleRefusal = "GnuTLS does not take it: \(GnuTLS.message(stapled))" }
  }

  deinit {
    gnutls_certificate_free_credentials(handle)
  }
}
