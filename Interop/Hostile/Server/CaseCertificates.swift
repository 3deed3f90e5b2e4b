import Foundation
import HTTP3Engine
import StreamTransport

/// The certificate that a server shows in a case, and the one that the client trusts.
struct CaseCertificates {
  var credentials: ServerCredentials
  /// The authority for the client, in PEM form.
  var authority: String

  init(_ kind: HostileCase.Certificate, key: DevelopmentCertificate.Key) throws {
    let shown: DevelopmentCertificate
    switch kind {
    case .good: shown = try .make(key: key)
    case .otherName: shown = try .make(hosts: ["other.example"], key: key)
    case .expired:
      shown = try .make(
        key: key, notBefore: Date(timeIntervalSinceNow: -200_000), notAfter: Date(timeIntervalSinceNow: -100_000))
    case .otherAuthority: shown = try .make(key: key)
    }
    credentials = try ServerCredentials(
      certificateChainPEM: Array(shown.certificatePEM.utf8), privateKeyPEM: Array(shown.privateKeyPEM.utf8))
    switch kind {
    case .otherAuthority: authority = try DevelopmentCertificate.make(key: key).certificatePEM
    case .good, .otherName, .expired: authority = shown.certificatePEM
    }
  }
}
