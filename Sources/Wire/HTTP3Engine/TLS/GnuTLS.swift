import CQUIC

/// The state and helpers that all uses of GnuTLS share.
enum GnuTLS {
  /// TLS 1.3 with AES-128-GCM first and X25519 first; GnuTLS's own order puts AES-256-GCM and ChaCha20 before it, which
  /// cost more per packet. QUIC forbids the compatibility session id (RFC 9001 § 8.4).
  static func priority(_ suites: [CipherSuite], _ groups: [KeyExchangeGroup]) -> String {
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:" + suites.map { "+\($0.priorityName)" }.joined(separator: ":")
      + ":-GROUP-ALL:" + groups.map { "+GROUP-\($0.priorityName)" }.joined(separator: ":")
      + ":%DISABLE_TLS13_COMPAT_MODE"
  }

  static func message(_ code: Int32) -> String {
    gnutls_strerror(code).map { String(cString: $0) } ?? "GnuTLS error \(code)"
  }

  /// Throws what GnuTLS says of `code` unless it is success.
  static func check(_ code: Int32, _ doing: String) throws(HTTP3Error) {
    guard code < 0 else { return }
    throw HTTP3Error(.internal, "\(doing) failed: \(message(code))")
  }

  static func use(_ credentials: gnutls_certificate_credentials_t?, on session: gnutls_session_t?) throws(HTTP3Error) {
    try check(
      gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials)),
      "Setting credentials")
  }

  /// The alert's name, such as `bad certificate`.
  static func alertName(_ alert: UInt8) -> String {
    gnutls_alert_get_name(gnutls_alert_description_t(UInt32(alert))).map { String(cString: $0) }
      ?? "alert \(alert)"
  }

  static func cipherName(_ number: UInt32) -> String {
    gnutls_cipher_get_name(gnutls_cipher_algorithm_t(number)).map { String(cString: $0) } ?? "unknown"
  }

  static func groupName(_ number: UInt32) -> String {
    gnutls_group_get_name(gnutls_group_t(number)).map { String(cString: $0) } ?? "unknown"
  }

  /// Lends `bytes` as a datum, valid for the call only; GnuTLS does not write through it.
  static func withDatum<Result>(
    _ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      var datum = gnutls_datum_t(
        data: UnsafeMutablePointer(mutating: buffer.baseAddress),
        size: UInt32(clamping: buffer.count))
      return body(&datum)
    }
  }
}
