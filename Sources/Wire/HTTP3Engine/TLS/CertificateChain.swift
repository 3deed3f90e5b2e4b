import CQUIC

/// The certificates of a server's credentials, leaf first, as GnuTLS parsed them.
final class CertificateChain {
  private let list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
  private let count: Int

  init(of credentials: gnutls_certificate_credentials_t?) throws(HTTP3Error) {
    var list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
    var count: UInt32 = 0
    try GnuTLS.check(gnutls_certificate_get_x509_crt(credentials, 0, &list, &count), "Reading the certificate")
    self.list = list
    self.count = Int(count)
  }

  deinit {
    for index in 0..<count { gnutls_x509_crt_deinit(list?[index]) }
    CQUIC_gnutls_free(list)
  }

  var leaf: gnutls_x509_crt_t? { count > 0 ? list?[0] : nil }

  /// The certificate that signed the leaf; nil where the chain does not have it and the leaf is not its own.
  var issuer: gnutls_x509_crt_t? {
    if count > 1 { return list?[1] }
    return leaf.flatMap { gnutls_x509_crt_check_issuer($0, $0) == 0 ? nil : $0 }
  }

  /// The leaf's DNS names; those that are too long for one are left out.
  var leafNames: [String] {
    var names: [String] = []
    // A certificate has fewer; the limit is for what only looks like one.
    for index in UInt32(0)..<10_000 {
      var bytes = [UInt8](repeating: 0, count: 256)
      var size = bytes.count
      let kind = gnutls_x509_crt_get_subject_alt_name(leaf, index, &bytes, &size, nil)
      if kind == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { break }
      guard kind == Int32(GNUTLS_SAN_DNSNAME.rawValue), size <= bytes.count else { continue }
      names.append(String(decoding: bytes[..<size], as: UTF8.self))
    }
    return names
  }
}
