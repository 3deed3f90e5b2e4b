import Foundation
import HTTP3Engine
import StreamTransport

/// What a simulated server shows and a simulated client trusts.
struct SimulationCertificate: Sendable {
  static let host = "localhost"
  let credentials: ServerCredentials
  let verifier: CertificateVerifier

  /// Throws ``SimulationError``.
  init() throws(SimulationError) {
    do {
      let certificate = try Self.make()
      credentials = try ServerCredentials(
        certificateChainPEM: Array(certificate.certificatePEM.utf8),
        privateKeyPEM: Array(certificate.privateKeyPEM.utf8))
      verifier = try CertificateVerifier(.authorities(pem: Array(certificate.certificatePEM.utf8)))
    } catch let error as SimulationError {
      throw error
    } catch {
      throw SimulationError("The simulation's certificate could not be made: \(error)")
    }
  }

  /// One whose length is always the same, so that a seed gives the same packets in every process: Ed25519 signatures
  /// have one length, serial numbers have not.
  private static func make() throws -> DevelopmentCertificate {
    for _ in 0..<256 {
      let certificate = try DevelopmentCertificate.make(hosts: [host], key: .ed25519)
      if hasLongestSerialNumber(certificate) { return certificate }
    }
    throw SimulationError("No certificate of the usual length came in 256 tries.")
  }

  /// Half of the random numbers of 20 bytes need a byte of zero ahead of them (X.690 § 8.3).
  private static func hasLongestSerialNumber(_ certificate: DevelopmentCertificate) -> Bool {
    let lines = certificate.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-") }
    guard let der = Data(base64Encoded: lines.joined()) else { return false }
    // The version, then the serial number's tag and length.
    return der.prefix(20).firstRange(of: [0xa0, 0x03, 0x02, 0x01, 0x02, 0x02, 21]) != nil
  }
}
