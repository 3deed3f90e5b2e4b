import HTTP3Engine
import StreamTransport

/// The certificate that a simulated server presents and a simulated client trusts.
struct SimulationCertificate: Sendable {
  static let host = "localhost"
  let credentials: ServerCredentials
  let verifier: CertificateVerifier

  /// Throws ``SimulationError``.
  init() throws(SimulationError) {
    do {
      // Its length, and that of its signatures, is always the same: a seed gives the same packets in every process.
      let certificate = try DevelopmentCertificate.make(hosts: [Self.host], key: .ed25519)
      credentials = try ServerCredentials(
        certificateChainPEM: Array(certificate.certificatePEM.utf8),
        privateKeyPEM: Array(certificate.privateKeyPEM.utf8))
      verifier = try CertificateVerifier(.authorities(pem: Array(certificate.certificatePEM.utf8)))
    } catch {
      throw SimulationError("The simulation's certificate could not be made: \(error)")
    }
  }
}
