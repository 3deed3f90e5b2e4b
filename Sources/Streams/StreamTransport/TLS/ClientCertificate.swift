import Crypto
public import Foundation
import Glibc
import SwiftASN1
import X509

/// The certificate by which a client has proved who it is: it has the private key, and an authority that the server
/// trusts with its clients has signed the certificate (see ``ClientCertificatePolicy``).
public struct ClientCertificate: Hashable, Sendable {
  /// One of the names of a certificate (RFC 5280 § 4.2.1.6).
  public enum Name: Hashable, Sendable {
    /// A DNS name, as it stands in the certificate.
    case dns(String)
    /// A mail address.
    case email(String)
    /// A URI, such as a workload's `spiffe://example.org/robot`.
    case uri(String)
    /// An IPv4 or IPv6 address in its numeric form.
    case address(String)
  }

  /// The certificate's DER form.
  public let der: [UInt8]
  /// The subject's distinguished name in the form of RFC 4514, such as `CN=robot 7,O=Example`.
  public let subject: String
  /// The alternative names of these kinds, in the certificate's order.
  public let names: [Name]
  /// SHA-256 of ``der``.
  public let sha256: [UInt8]
  /// The first moment at which the certificate is valid.
  public let notBefore: Date
  /// The last moment at which the certificate is valid.
  public let notAfter: Date

  /// ``sha256`` as people compare it: `AA:BB:…`.
  public var fingerprint: String { Fingerprint.text(sha256) }

  /// Reads a certificate; nil for what is none, or has a key of an unusual kind. Says nothing about whether it is to be
  /// trusted.
  package init?(der: [UInt8]) {
    do {
      let certificate = try Certificate(derEncoded: der)
      names = try certificate.extensions.subjectAlternativeNames?.compactMap { Name($0) } ?? []
      subject = certificate.subject.description
      notBefore = certificate.notValidBefore
      notAfter = certificate.notValidAfter
    } catch {
      return nil
    }
    self.der = der
    sha256 = Array(SHA256.hash(data: der))
  }

  /// Whether the certificate's dates hold at a moment.
  package func isValid(at date: Date) -> Bool { date >= notBefore && date <= notAfter }
}

extension ClientCertificate.Name {
  /// Nil for a name of another kind.
  fileprivate init?(_ name: GeneralName) {
    switch name {
    case .dnsName(let name): self = .dns(name)
    case .rfc822Name(let name): self = .email(name)
    case .uniformResourceIdentifier(let name): self = .uri(name)
    case .ipAddress(let bytes):
      guard let text = Self.text(ofAddress: Array(bytes.bytes)) else { return nil }
      self = .address(text)
    case .otherName, .x400Address, .directoryName, .ediPartyName, .registeredID: return nil
    }
  }

  private static func text(ofAddress bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
