import Crypto
public import Foundation
import SwiftASN1
import X509

/// A self-signed certificate and its key for development and tests.
///
/// It is its own authority (`CA:TRUE` with `keyCertSign`): GnuTLS would take a plain self-signed one, NIOSSL would not.
public struct DevelopmentCertificate: Hashable, Sendable {
  /// The kind of key; the signatures of an Ed25519 key have one length, those of P-256 vary by some bytes.
  public enum Key: Hashable, Sendable {
    /// ECDSA over the NIST curve P-256, which every TLS library accepts.
    case p256
    /// Ed25519 (RFC 8410), which browsers do not accept.
    case ed25519
  }

  /// The certificate in PEM form: what a client trusts and a server shows.
  public var certificatePEM: String
  /// The private key in PEM form (PKCS #8).
  public var privateKeyPEM: String
  /// SHA-256 of the certificate's DER form, to pin it with.
  public var sha256: [UInt8]
  /// The first moment at which the certificate is valid.
  public var notBefore: Date
  /// The last moment at which the certificate is valid.
  public var notAfter: Date
  /// The file that holds the certificate, nil where it was never written.
  public var certificateFile: String?

  init(certificate: Certificate, privateKeyPEM: String) throws {
    let document = try certificate.serializeAsPEM()
    certificatePEM = document.pemString + "\n"
    self.privateKeyPEM = privateKeyPEM
    sha256 = Array(SHA256.hash(data: document.derBytes))
    notBefore = certificate.notValidBefore
    notAfter = certificate.notValidAfter
  }

  /// ``sha256`` as people compare it: `AA:BB:…`.
  public var fingerprint: String { Fingerprint.text(sha256) }

  /// Makes a certificate and a key.
  ///
  /// - Parameters:
  ///   - hosts: DNS names and IP addresses (without brackets) that the certificate is for.
  ///   - validFor: days from `notBefore`.
  ///   - key: the kind of key.
  ///   - notBefore: an hour ago by default, for clocks that differ a little.
  ///   - notAfter: `notBefore` and `validFor` by default; one in the past makes a certificate that has expired.
  ///
  /// Throws ``DevelopmentCertificateError``.
  public static func make(
    hosts: [String] = ["localhost", "127.0.0.1", "::1"],
    validFor days: Int = 90,
    key: Key = .p256,
    notBefore: Date? = nil,
    notAfter: Date? = nil
  ) throws -> DevelopmentCertificate {
    let start = notBefore ?? Date(timeIntervalSinceNow: -3_600)
    let end = notAfter ?? start.addingTimeInterval(Double(days) * 86_400)
    let names = try SubjectNames(hosts)
    do {
      let signer = try Signer(key)
      let certificate = try signer.selfSigned(names, from: start, until: end)
      return try DevelopmentCertificate(certificate: certificate, privateKeyPEM: signer.pem)
    } catch {
      throw DevelopmentCertificateError(
        .certificate, "The development certificate could not be made: \(error).", cause: error)
    }
  }
}
