package import ArgumentParser
import Foundation
package import Logging
package import StreamTransport

/// The certificates that a server shows.
package struct CertificateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Certificate chain, PEM, read anew when it changes and on SIGHUP, with the OCSP response in FILE.ocsp, if there is one. "
        + "May be repeated: clients get the one with the name that they ask for, else the first. Without it a development "
        + "certificate is made in the state folder.", valueName: "file"))
  package var certificate: [String] = []

  @Option(help: ArgumentHelp("Private key, PEM, of each --certificate, in the same order.", valueName: "file"))
  package var privateKey: [String] = []

  @Option(
    help: ArgumentHelp(
      "Serve those clients alone, over all protocols, that show a certificate which is signed by one of these authorities, PEM. "
        + "Needs --certificate, with which it is read anew.", valueName: "file"))
  package var clientAuthorities: String?

  package init() {}

  package func validate() throws {
    guard clientAuthorities == nil || !certificate.isEmpty else {
      throw ValidationError("--client-authorities needs a --certificate of the server's own.")
    }
    guard certificate.count == privateKey.count else {
      throw ValidationError("--certificate and --private-key go together, one of each for each certificate.")
    }
  }

  /// The certificates and their keys; those for development are made for loopback and the address, where there are none yet.
  package func choose(address: String, state: StateFolder, logger: Logger) throws -> ServerCertificate {
    if !certificate.isEmpty {
      // Before they are read, so that no later change is missed.
      let files = CertificateFiles(
        zip(certificate, privateKey).map { CertificateFiles.Pair(certificate: $0, privateKey: $1) },
        clientAuthorities: clientAuthorities, logger: logger)
      do {
        return ServerCertificate(
          identities: try files.read(),
          clients: try files.readClientAuthorities().map { ClientCertificatePolicy(authoritiesPEM: $0) }, files: files,
          lines: [])
      } catch {
        throw ValidationError(error.message)
      }
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
      identities: [ServerIdentity(certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM)],
      clients: nil, files: nil,
      lines: [
        "development certificate: \(made.certificateFile ?? folder)", "SHA-256 fingerprint: \(made.fingerprint)",
      ])
  }
}

/// The certificates and keys that a server shows, and those that it wants to see.
package struct ServerCertificate {
  package let identities: [ServerIdentity]
  /// Nil where clients show none.
  package let clients: ClientCertificatePolicy?
  /// The files that they come from, and that are read anew when they change; nil for those for development.
  package let files: CertificateFiles?
  /// Lines on how a client can trust it.
  package let lines: [String]
}
