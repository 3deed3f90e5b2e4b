import Crypto
package import Foundation
package import StreamTransport
import SwiftASN1
import X509

/// An authority that signs certificates of clients.
package struct TestAuthority: Sendable {
  /// A certificate chain and its private key.
  package struct Issued: Sendable {
    package let certificatePEM: String
    package let privateKeyPEM: String
    /// The leaf.
    package let der: [UInt8]

    package init(certificatePEM: String, privateKeyPEM: String, der: [UInt8]) {
      self.certificatePEM = certificatePEM
      self.privateKeyPEM = privateKeyPEM
      self.der = der
    }

    package var identity: ClientIdentity { .pem(certificateChain: certificatePEM, privateKey: privateKeyPEM) }
  }

  /// The purpose that a certificate names; nil for none.
  package enum Purpose: Sendable {
    case client, server
  }

  package let certificatePEM: String
  private let name: DistinguishedName
  private let key: Certificate.PrivateKey
  /// The certificates that stand behind a leaf.
  private let intermediatesPEM: String

  /// Makes an authority of its own.
  package init(_ commonName: String = "Test authority") throws {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName(commonName) }
    let certificate = try Self.authority(name, key.publicKey, issuer: name, issuerKey: key)
    try self.init(name, key, certificatePEM: Self.pem(certificate), intermediatesPEM: "")
  }

  private init(
    _ name: DistinguishedName, _ key: Certificate.PrivateKey, certificatePEM: String, intermediatesPEM: String
  ) throws {
    self.name = name
    self.key = key
    self.certificatePEM = certificatePEM
    self.intermediatesPEM = intermediatesPEM
  }

  /// An authority that this one has signed; its certificates come with its own behind them.
  package func intermediate(_ commonName: String = "Intermediate authority") throws -> TestAuthority {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName(commonName) }
    let pem = try Self.pem(Self.authority(name, key.publicKey, issuer: self.name, issuerKey: self.key))
    return try TestAuthority(name, key, certificatePEM: pem, intermediatesPEM: pem + intermediatesPEM)
  }

  /// Signs a certificate for a new key.
  package func issue(
    _ commonName: String = "robot 7", purpose: Purpose? = .client, uri: String? = "spiffe://example.org/robot/7",
    notBefore: Date = Date(timeIntervalSinceNow: -3_600), notAfter: Date = Date(timeIntervalSinceNow: 3_600)
  ) throws -> Issued {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    var names = [GeneralName.dnsName("robot-7.example.org")]
    if let uri { names.append(.uniformResourceIdentifier(uri)) }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: notBefore,
      notValidAfter: notAfter, issuer: name,
      subject: try DistinguishedName {
        OrganizationName("Example")
        CommonName(commonName)
      },
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        switch purpose {
        case .client: try ExtendedKeyUsage([.clientAuth])
        case .server: try ExtendedKeyUsage([.serverAuth])
        case nil: SubjectKeyIdentifier(hash: key.publicKey)
        }
        SubjectAlternativeNames(names)
      }, issuerPrivateKey: self.key)
    let document = try certificate.serializeAsPEM()
    return Issued(
      certificatePEM: document.pemString + "\n" + intermediatesPEM,
      privateKeyPEM: try key.serializeAsPEM().pemString + "\n", der: document.derBytes)
  }

  private static func authority(
    _ name: DistinguishedName, _ key: Certificate.PublicKey, issuer: DistinguishedName,
    issuerKey: Certificate.PrivateKey
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key,
      notValidBefore: Date(timeIntervalSinceNow: -86_400), notValidAfter: Date(timeIntervalSinceNow: 86_400),
      issuer: issuer, subject: name,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true))
      }, issuerPrivateKey: issuerKey)
  }

  private static func pem(_ certificate: Certificate) throws -> String {
    try certificate.serializeAsPEM().pemString + "\n"
  }
}
