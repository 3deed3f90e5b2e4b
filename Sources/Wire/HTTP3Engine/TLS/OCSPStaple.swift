import CQUIC

/// A certificate authority's statement that a certificate is not revoked, to be sent along with it (RFC 6066 § 8).
///
/// Only one that helps is sent: successful, signed by the certificate's authority or by a responder that it delegated, about
/// this certificate, "good", and neither of the future nor out of date. GnuTLS leaves it out once it has expired.
struct OCSPStaple {
  /// The reason for which a response is not stapled.
  struct Refusal: Error {
    let sentence: String
  }

  /// The difference between clocks that is tolerated, in seconds.
  private static let clockSkew = 300

  private let der: [UInt8]

  init(_ der: [UInt8]) {
    self.der = der
  }

  func check(for chain: CertificateChain, now: Int) throws(Refusal) {
    var response: gnutls_ocsp_resp_t?
    guard gnutls_ocsp_resp_init(&response) == 0 else { throw Refusal(sentence: "Out of memory.") }
    defer { gnutls_ocsp_resp_deinit(response) }
    let code = GnuTLS.withDatum(der) { gnutls_ocsp_resp_import(response, $0) }
    guard code == 0 else {
      throw Refusal(sentence: "It is not an OCSP response in DER form: \(GnuTLS.message(code))")
    }
    guard gnutls_ocsp_resp_get_status(response) == Int32(GNUTLS_OCSP_RESP_SUCCESSFUL.rawValue) else {
      throw Refusal(sentence: "The responder answered with an error; ask it again.")
    }
    guard gnutls_ocsp_resp_check_crt(response, 0, chain.leaf) == 0 else {
      throw Refusal(sentence: "It is about another certificate; ask the responder anew after each renewal.")
    }
    var status: UInt32 = 0
    var (thisUpdate, nextUpdate) = (time_t(-1), time_t(-1))
    guard
      gnutls_ocsp_resp_get_single(
        response, 0, nil, nil, nil, nil, &status, &thisUpdate, &nextUpdate, nil, nil) == 0
    else { throw Refusal(sentence: "It says nothing that can be read.") }
    switch status {
    case GNUTLS_OCSP_CERT_GOOD.rawValue: break
    case GNUTLS_OCSP_CERT_REVOKED.rawValue:
      throw Refusal(sentence: "It says that the certificate is revoked; get another certificate.")
    default: throw Refusal(sentence: "It says that the authority does not know the certificate.")
    }
    guard thisUpdate <= now + Self.clockSkew else {
      throw Refusal(sentence: "It is not valid yet; check the clock.")
    }
    // Without a time for the next one it would be stapled for ever (RFC 6960 § 4.2.2.1).
    guard nextUpdate >= 0 else { throw Refusal(sentence: "It does not say when it expires.") }
    guard nextUpdate > now else { throw Refusal(sentence: "It has expired; ask the responder for another.") }
    try checkSignature(of: response, by: chain)
  }

  private func checkSignature(of response: gnutls_ocsp_resp_t?, by chain: CertificateChain) throws(Refusal) {
    guard let issuer = chain.issuer else {
      throw Refusal(sentence: "The certificate file does not have the authority's certificate, by which it is judged.")
    }
    var verdict: UInt32 = 0
    let code = gnutls_ocsp_resp_verify_direct(response, issuer, &verdict, 0)
    guard code == 0, verdict == 0 else {
      throw Refusal(sentence: "It is not signed by the certificate's authority.")
    }
  }
}
