import CQUIC

/// TLS's Certificate message (RFC 8446 § 4.4.2), as far as it has to be judged before GnuTLS (3.7.9) reads it.
///
/// GnuTLS checks the peer's signature over the handshake with the key of the first certificate, whatever its size,
/// before anybody asks whether that certificate is trusted. So anybody could send an RSA key whose check takes seconds
/// or minutes. The keys of the other certificates are not used before an authority that is trusted has vouched for
/// them.
enum CertificateMessage {
  enum Breach: Equatable {
    case tooMany
    case keyTooLong
  }

  /// Certificates of one peer that are taken.
  static let mostCertificates = 16
  /// The bytes of the longest RSA modulus (8 192 bits and a sign), and of the longest exponent (BoringSSL takes 33
  /// bits).
  private static let longestModulus = 1_025
  private static let longestExponent = 5

  /// What is wrong with a message's certificates. One that is not well-formed is GnuTLS's to refuse.
  static func breach(in message: UnsafeRawBufferPointer) -> Breach? {
    var reader = ByteReader(message)
    guard let context = reader.integer(1), reader.bytes(context) != nil, reader.integer(3) != nil else { return nil }
    var count = 0
    while let length = reader.integer(3), let certificate = reader.bytes(length), let extensions = reader.integer(2),
      reader.bytes(extensions) != nil
    {
      count += 1
      if count > mostCertificates { return .tooMany }
      if count == 1, isKeyTooLong(of: certificate) { return .keyTooLong }
    }
    return nil
  }

  private static func isKeyTooLong(of encoded: UnsafeRawBufferPointer) -> Bool {
    var certificate: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&certificate) == 0 else { return false }
    defer { gnutls_x509_crt_deinit(certificate) }
    // GnuTLS does not write through it.
    var datum = gnutls_datum_t(
      data: UnsafeMutablePointer(mutating: encoded.baseAddress?.assumingMemoryBound(to: UInt8.self)),
      size: UInt32(clamping: encoded.count))
    var (modulus, exponent) = (gnutls_datum_t(), gnutls_datum_t())
    // Other kinds of keys have one size, or a curve's.
    guard gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_DER) == 0,
      gnutls_x509_crt_get_pk_rsa_raw(certificate, &modulus, &exponent) == 0
    else { return false }
    defer {
      CQUIC_gnutls_free(modulus.data)
      CQUIC_gnutls_free(exponent.data)
    }
    return Int(modulus.size) > longestModulus || Int(exponent.size) > longestExponent
  }
}
