package import EnginePair
import Foundation
package import HTTP3Engine
package import LinkModel
package import StreamTransport

extension QUICPair {
  /// A pair with an Ed25519 certificate for `localhost`, whose signatures have one length, so that packet sizes repeat.
  package static func make(
    seed: UInt64 = 1, conditions: LinkConditions = VirtualLink.plain, host: String = "localhost",
    certificate: DevelopmentCertificate = TestCertificate.ed25519,
    trust: CertificateVerifier.Trust? = nil,
    clientLimits: (inout ConnectionConfiguration) -> Void = { _ in },
    server change: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> QUICPair {
    var client = try clientConfiguration(host: host, certificate: certificate, trust: trust)
    clientLimits(&client.connection)
    return try QUICPair(
      seed: seed, conditions: conditions, client: client,
      server: serverConfiguration(certificate, change))
  }

  package static func clientConfiguration(
    host: String = "localhost", certificate: DevelopmentCertificate = TestCertificate.ed25519,
    trust: CertificateVerifier.Trust? = nil, _ change: (inout ClientConfiguration) -> Void = { _ in }
  ) throws -> ClientConfiguration {
    let verifier = try CertificateVerifier(
      trust ?? .authorities(pem: Array(certificate.certificatePEM.utf8)))
    var client = ClientConfiguration(host: host, verifier: verifier)
    change(&client)
    return client
  }

  package static func serverConfiguration(
    _ certificate: DevelopmentCertificate = TestCertificate.ed25519,
    _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> ServerConfiguration {
    var server = ServerConfiguration(
      credentials: try ServerCredentials(
        certificateChainPEM: Array(certificate.certificatePEM.utf8),
        privateKeyPEM: Array(certificate.privateKeyPEM.utf8)))
    change(&server)
    return server
  }
}

/// Certificates that tests share; made once, because a key pair takes a while in debug builds.
package enum TestCertificate {
  package static let ed25519 = make { try .make(key: .ed25519) }
  package static let otherName = make { try .make(hosts: ["other.example"], key: .ed25519) }
  package static let expired = make {
    try .make(
      key: .ed25519, notBefore: Date(timeIntervalSinceNow: -200_000),
      notAfter: Date(timeIntervalSinceNow: -100_000))
  }
  package static let p256 = make { try .make() }

  private static func make(_ body: () throws -> DevelopmentCertificate) -> DevelopmentCertificate {
    do {
      return try body()
    } catch {
      preconditionFailure("A test certificate could not be made: \(error)")
    }
  }
}
