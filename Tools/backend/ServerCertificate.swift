import ArgumentParser
import Foundation
import StreamTransport

/// The certificate and key that the server shows.
struct ServerCertificate {
  let certificatePEM: String
  let privateKeyPEM: String
  /// Lines that tell a client how to trust it.
  let lines: [String]

  static func choose(
    certificate: String?, privateKey: String?, address: String, state: StateFolder
  ) throws -> ServerCertificate {
    guard isNumeric(address) else {
      throw ValidationError("'\(address)' is no IP address; give one of this machine's, such as 127.0.0.1 or 0.0.0.0.")
    }
    if let certificate, let privateKey {
      return ServerCertificate(certificatePEM: try read(certificate), privateKeyPEM: try read(privateKey), lines: [])
    }
    var hosts = ["localhost", "127.0.0.1", "::1"]
    var folder = try state.make()
    // A folder of its own, so that no other backend's certificate is replaced under its clients.
    if !["0.0.0.0", "::"].contains(address), !hosts.contains(address) {
      hosts.append(address)
      folder += "/\(address)"
    }
    let made = try DevelopmentCertificate.loadOrMake(in: folder, hosts: hosts)
    return ServerCertificate(
      certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM,
      lines: [
        "development certificate: \(made.certificateFile ?? state.path)", "SHA-256 fingerprint: \(made.fingerprint)",
      ])
  }

  private static func isNumeric(_ address: String) -> Bool {
    var storage = in6_addr()
    return inet_pton(AF_INET, address, &storage) == 1 || inet_pton(AF_INET6, address, &storage) == 1
  }

  private static func read(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
      throw ValidationError("'\(path)' cannot be read.")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
