import Crypto
import Foundation
import StreamTransport
import SwiftASN1
import X509

/// An OCSP response (RFC 6960 § 4.2.1) about a development certificate, which is its own authority; each part may be wrong.
struct OCSPResponse {
  enum Status: UInt8 {
    case good = 0x80
    case revoked = 0xa1
    case unknown = 0x82
  }

  var status = Status.good
  var responderStatus: UInt8 = 0
  var thisUpdate = Date(timeIntervalSinceNow: -3_600)
  var nextUpdate: Date? = Date(timeIntervalSinceNow: 3_600)
  /// The certificate that it is about.
  var subject: DevelopmentCertificate
  /// Who signs it; the subject itself by default.
  var signer: DevelopmentCertificate?

  init(_ subject: DevelopmentCertificate) {
    self.subject = subject
  }

  func der() throws -> [UInt8] {
    guard responderStatus == 0 else { return Self.item(0x30, Self.item(0x0a, [responderStatus])) }
    let certificate = try Certificate(pemEncoded: subject.certificatePEM)
    var serializer = DER.Serializer()
    try serializer.serialize(certificate.issuer)
    let name = serializer.serializedBytes
    let sha1 = Self.item(0x30, [0x06, 5, 0x2b, 0x0e, 3, 2, 0x1a, 5, 0])
    let key = Array(certificate.publicKey.subjectPublicKeyInfoBytes)
    let id = Self.item(
      0x30,
      sha1 + Self.item(0x04, Array(Insecure.SHA1.hash(data: name)))
        + Self.item(0x04, Array(Insecure.SHA1.hash(data: key)))
        + Self.item(0x02, Array(certificate.serialNumber.bytes)))
    let status = Self.item(self.status.rawValue, self.status == .revoked ? Self.time(thisUpdate) : [])
    let next = nextUpdate.map { Self.item(0xa0, Self.time($0)) } ?? []
    let single = Self.item(0x30, id + status + Self.time(thisUpdate) + next)
    let data = Self.item(0x30, Self.item(0xa1, name) + Self.time(thisUpdate) + Self.item(0x30, single))
    let signingKey = try P256.Signing.PrivateKey(pemRepresentation: (signer ?? subject).privateKeyPEM)
    let signature = Array(try signingKey.signature(for: data).derRepresentation)
    let algorithm = Self.item(0x30, [0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2])
    let basic = Self.item(0x30, data + algorithm + Self.item(0x03, [0] + signature))
    let type: [UInt8] = [0x06, 9, 0x2b, 6, 1, 5, 5, 7, 0x30, 1, 1]
    return Self.item(
      0x30, Self.item(0x0a, [0]) + Self.item(0xa0, Self.item(0x30, type + Self.item(0x04, basic))))
  }

  private static func time(_ date: Date) -> [UInt8] {
    let digits = date.ISO8601Format().filter { $0.isNumber || $0 == "Z" }
    return item(0x18, Array(digits.utf8))
  }

  private static func item(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 128
      ? [UInt8(count)] : count < 256 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
    return [tag] + length + content
  }
}
