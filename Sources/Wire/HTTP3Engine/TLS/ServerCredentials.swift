import CQUIC

/// A server's certificate chain and private key.
///
/// Sendable by hand: GnuTLS only reads credentials once they are set up.
package final class ServerCredentials: @unchecked Sendable {
  let handle: gnutls_certificate_credentials_t?

  /// Both in PEM form, the leaf certificate first; throws with a sentence when they cannot be read or do not match.
  package init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(HTTP3Error) {
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
