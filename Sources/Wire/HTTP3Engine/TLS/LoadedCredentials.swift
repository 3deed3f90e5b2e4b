import CQUIC

/// A certificate chain and its private key as GnuTLS has them; a session that uses them has to keep them.
///
/// Sendable by hand: GnuTLS only reads credentials once they are set up.
final class LoadedCredentials: @unchecked Sendable {
  let handle: gnutls_certificate_credentials_t?

  init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(HTTP3Error) {
    var handle: gnutls_certificate_credentials_t?
    try GnuTLS.check(gnutls_certificate_allocate_credentials(&handle), "Making credentials")
    self.handle = handle
    let code = GnuTLS.withDatum(certificateChainPEM) { certificate in
      GnuTLS.withDatum(privateKeyPEM) { key in
        gnutls_certificate_set_x509_key_mem2(handle, certificate, key, GNUTLS_X509_FMT_PEM, nil, 0)
      }
    }
    guard code >= 0 else {
      throw HTTP3Error(
        .internal,
        "The certificate and private key cannot be used: \(GnuTLS.message(code)) Both must be PEM and belong together.")
    }
  }

  deinit {
    gnutls_certificate_free_credentials(handle)
  }
}
