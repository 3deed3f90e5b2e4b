package import ArgumentParser
import Foundation
package import Logging
package import StreamTransport

/// The certificate that a server shows.
package struct CertificateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Certificate chain, PEM, read anew when it changes and on SIGHUP. Without it a development certificate is made in the "
        + "state folder."))
  package var certificate: String?

  @Option(help: "Private key of --certificate, PEM.")
  package var privateKey: String?

  package init() {}

  package func validate() throws {
    guard (certificate == nil) == (privateKey == nil) else {
      throw ValidationError("--certificate and --private-key go together.")
    }
  }

  /// The certificate and its key; those for development are made for loopback and the address, where there are none yet.
  package func choose(address: String, state: StateFolder, logger: Logger) throws -> ServerCertificate {
    if let certificate, let privateKey {
      // Before they are read, so that no later change is missed.
      let files = CertificateFiles(certificate: certificate, privateKey: privateKey, logger: logger)
      return ServerCertificate(
        certificatePEM: try PEMFile.read(certificate), privateKeyPEM: try PEMFile.read(privateKey), files: files,
        lines: [])
    }
    var hosts = ["localhost", "127.0.0.1", "::1"]
    var folder = try state.make()
    // A folder of its own, so that no other server's certificate is replaced under its clients.
    if !["0.0.0.0", "::"].contains(address), !hosts.contains(address) {
      hosts.append(address)
      folder += "/\(address)"
    }
    let made = try DevelopmentCertificate.loadOrMake(in: folder, hosts: hosts)
    return ServerCertificate(
      certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM, files: nil,
      lines: [
        "development certificate: \(made.certificateFile ?? folder)", "SHA-256 fingerprint: \(made.fingerprint)",
      ])
  }
}

/// The certificate and key that a server shows.
package struct ServerCertificate {
  package let certificatePEM: String
  package let privateKeyPEM: String
  /// The files that both come from, and that are read anew when they change; nil for those for development.
  package let files: CertificateFiles?
  /// Lines on how a client can trust it.
  package let lines: [String]
}
