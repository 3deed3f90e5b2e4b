import CQUIC

/// The side whose certificate is judged, and the words for what is wrong with it.
enum CertificateOwner {
  case server
  case client

  private var name: String {
    switch self {
    case .server: "server"
    case .client: "client"
    }
  }

  /// The purpose that the certificate has to be for (RFC 5280 § 4.2.1.12), as an object identifier.
  var purpose: String {
    switch self {
    case .server: GNUTLS_KP_TLS_WWW_SERVER
    case .client: GNUTLS_KP_TLS_WWW_CLIENT
    }
  }

  /// The error for a certificate that is not accepted.
  ///
  /// - Parameter alert: what a server tells its client (RFC 8446 § 6.2), so that its operator need not guess; a server
  ///   learns of its own certificate that it is bad.
  func refusal(
    _ sentence: String, _ alert: gnutls_alert_description_t = GNUTLS_A_BAD_CERTIFICATE
  ) -> HTTP3Error {
    switch self {
    case .server: HTTP3Error(.certificateRejected, sentence)
    case .client: HTTP3Error(.tlsAlert(UInt8(truncatingIfNeeded: alert.rawValue)), sentence)
    }
  }

  var weakKey: HTTP3Error {
    refusal("The key of the \(name)'s certificate is too weak; it has to have the strength of RSA with 2048 bits.")
  }

  func unreadable(_ reason: String) -> HTTP3Error {
    refusal("The \(name)'s certificate cannot be read: \(reason)")
  }

  func breach(_ breach: CertificateMessage.Breach) -> HTTP3Error {
    switch breach {
    case .tooMany: refusal("The \(name) sent more than \(CertificateMessage.mostCertificates) certificates.")
    case .keyTooLong:
      refusal("The RSA key of the \(name)'s certificate is too long; it may have 8192 bits, and a short exponent.")
    }
  }

  /// The error for what GnuTLS found wrong with a chain.
  ///
  /// - Parameter host: the name that a server was asked for.
  func refusal(for status: UInt32, host: String?) -> HTTP3Error {
    func has(_ flag: gnutls_certificate_status_t) -> Bool { status & flag.rawValue != 0 }
    if has(GNUTLS_CERT_EXPIRED) {
      return refusal("The \(name)'s certificate has expired.", GNUTLS_A_CERTIFICATE_EXPIRED)
    }
    if has(GNUTLS_CERT_NOT_ACTIVATED) {
      return refusal("The \(name)'s certificate is not yet valid; check the clock.", GNUTLS_A_CERTIFICATE_EXPIRED)
    }
    if has(GNUTLS_CERT_UNEXPECTED_OWNER) {
      return refusal("The \(name)'s certificate is for another name than '\(host ?? "")'.")
    }
    if has(GNUTLS_CERT_PURPOSE_MISMATCH) {
      return refusal("The certificate is not one for a \(name).", GNUTLS_A_UNSUPPORTED_CERTIFICATE)
    }
    if has(GNUTLS_CERT_INSECURE_ALGORITHM) {
      return refusal(
        "A key or a signature in the \(name)'s chain of certificates is too weak; "
          + "keys have to have the strength of RSA with 2048 bits, and signatures that of SHA-256.")
    }
    if has(GNUTLS_CERT_SIGNATURE_FAILURE) {
      return refusal("The \(name)'s certificate names an authority that is trusted here, and was not signed by it.")
    }
    // Constraints fail when a trusted certificate has the signer's name and another key.
    if has(GNUTLS_CERT_SIGNER_NOT_FOUND) || has(GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE) {
      return refusal(
        "The \(name)'s certificate is signed by no authority that is trusted here; "
          + "give its CA file if it is a private one.", GNUTLS_A_UNKNOWN_CA)
    }
    var text = gnutls_datum_t()
    let code = gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0)
    guard code >= 0, let data = text.data else { return refusal("The \(name)'s certificate is not trusted.") }
    defer { CQUIC_gnutls_free(data) }
    return refusal(String(decoding: UnsafeBufferPointer(start: data, count: Int(text.size)), as: UTF8.self))
  }
}
