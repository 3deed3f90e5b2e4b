import ArgumentParser
import Logging
import ServerProgram
import StreamTransport

/// The certificate and key that the companion shows, and the names it answers as.
struct Credentials {
  let certificatePEM: String
  let privateKeyPEM: String
  /// The files that both come from, and that are read anew when they change; nil for those for development.
  let files: CertificateFiles?
  /// SHA-256 of a certificate that no authority vouches for.
  let fingerprint: [UInt8]?
  /// Devices connect to the first.
  let hosts: [String]
  /// Lines to print about it.
  let lines: [String]

  /// The names that the companion answers as; devices connect to the first.
  static func names(address: String, hosts: [String]) throws -> [String] {
    try NumericAddress.check(address)
    let isEverywhere = ["0.0.0.0", "::"].contains(address)
    guard !isEverywhere || !hosts.isEmpty else {
      throw ValidationError("--address \(address) needs --host: the name that devices reach this machine by.")
    }
    let own = isEverywhere ? [] : [address]
    let local = ["127.0.0.1", "::1"].contains(address) ? ["localhost"] : []
    return hosts + own + local
  }

  static func choose(
    certificate: String?, privateKey: String?, address: String, hosts: [String], folder: String,
    logger: Logger
  ) throws -> Credentials {
    let names = try names(address: address, hosts: hosts)
    if let certificate, let privateKey {
      // Before they are read, so that no later change is missed.
      let files = CertificateFiles(certificate: certificate, privateKey: privateKey, logger: logger)
      return Credentials(
        certificatePEM: try PEMFile.read(certificate), privateKeyPEM: try PEMFile.read(privateKey), files: files,
        fingerprint: nil, hosts: names, lines: note(address))
    }
    let made = try DevelopmentCertificate.loadOrMake(in: folder, hosts: names)
    return Credentials(
      certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM, files: nil, fingerprint: made.sha256,
      hosts: names,
      lines: note(address) + [
        "development certificate: \(made.certificateFile ?? folder)", "SHA-256 fingerprint: \(made.fingerprint)",
      ])
  }

  /// Tailscale's addresses are of 100.64.0.0/10 and fd7a:115c:a1e0::/48: only members of the tailnet reach them.
  private static func note(_ address: String) -> [String] {
    let parts = address.split(separator: ".").compactMap { Int($0) }
    let isTailscale =
      (parts.count == 4 && parts[0] == 100 && (64...127).contains(parts[1]))
      || address.lowercased().hasPrefix("fd7a:115c:a1e0:")
    return isTailscale ? ["'\(address)' is a Tailscale address: members of the tailnet reach it"] : []
  }
}
