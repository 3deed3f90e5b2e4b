import Crypto
import Foundation
import SwiftASN1
import X509

extension DevelopmentCertificate {
  /// A new private key, and the certificate that it signs for itself.
  struct Signer {
    let pem: String
    private let key: Certificate.PrivateKey

    init(_ kind: Key) throws {
      switch kind {
      case .p256: key = Certificate.PrivateKey(P256.Signing.PrivateKey())
      case .ed25519: key = Certificate.PrivateKey(Curve25519.Signing.PrivateKey())
      }
      pem = try Self.pkcs8(key)
    }

    func selfSigned(_ names: SubjectNames, from start: Date, until end: Date) throws -> Certificate {
      let name = try DistinguishedName { CommonName(names.first) }
      return try Certificate(
        version: .v3,
        serialNumber: Self.serialNumber(),
        publicKey: key.publicKey,
        notValidBefore: start,
        notValidAfter: end,
        issuer: name,
        subject: name,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
          Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
          try ExtendedKeyUsage([.serverAuth])
          SubjectAlternativeNames(names.generalNames)
        },
        issuerPrivateKey: key)
    }

    /// 20 random bytes as a positive number, always 20 in DER too: the most that may be (RFC 5280 § 4.1.2.2), and every
    /// certificate for the same names has the same length. The system's, as are those that the library makes the keys of.
    private static func serialNumber() -> Certificate.SerialNumber {
      var bytes = (0..<20).map { _ in UInt8.random(in: .min ... .max) }
      bytes[0] = bytes[0] & 0x7f | 0x40
      return Certificate.SerialNumber(bytes: bytes)
    }

    /// PKCS #8 for both kinds: an EC key's other form (SEC 1) is not taken by every library.
    private static func pkcs8(_ key: Certificate.PrivateKey) throws -> String {
      try key.serializeAsPEM().pemString + "\n"
    }
  }
}
