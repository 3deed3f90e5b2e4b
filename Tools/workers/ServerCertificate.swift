import ArgumentParser
import Foundation
import StreamTransport

/// The certificate and key that the runtime shows.
struct ServerCertificate {
  let certificatePEM: String
  let privateKeyPEM: String
  /// Lines that tell a client how to trust it.
  let lines: [String]

  static func choose(certificate: String?, privateKey: String?, address: String) throws -> ServerCertificate {
    if let certificate, let privateKey {
      return ServerCertificate(certificatePEM: try read(certificate), privateKeyPEM: try read(privateKey), lines: [])
    }
    let local = ["localhost", "127.0.0.1", "::1"]
    var folder = try StateFolder(environment: ProcessInfo.processInfo.environment).make()
    var hosts = local
    // A folder of its own, so that no other server's certificate is replaced under its clients.
    if !["0.0.0.0", "::"].contains(address), !local.contains(address) {
      hosts.append(address)
      folder += "/\(address)"
    }
    let made = try DevelopmentCertificate.loadOrMake(in: folder, hosts: hosts)
    return ServerCertificate(
      certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM,
      lines: [
        "development certificate: \(made.certificateFile ?? folder)", "SHA-256 fingerprint: \(made.fingerprint)",
      ])
  }

  private static func read(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
      throw ValidationError("'\(path)' cannot be read.")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
