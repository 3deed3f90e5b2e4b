package import CodexAppServer
package import HummingbirdHTTP3
package import StreamTransport

/// The configuration of a ``Companion``.
package struct CompanionConfiguration: Sendable {
  /// The IP address to listen on.
  package var address: String
  /// The TCP and UDP port; 0 takes a free one.
  package var port: Int
  /// Open sockets that are served in place of ``address`` and ``port``; nil for none.
  package var sockets: InheritedSockets?
  /// The certificate chain in PEM form, leaf first.
  package var certificatePEM: String
  /// The private key in PEM form (PKCS #8).
  package var privateKeyPEM: String
  /// SHA-256 of the certificate, where no authority vouches for it and devices of our own are to pin it; nil otherwise.
  package var fingerprint: [UInt8]?
  /// The names and addresses that the companion answers as; devices connect to the first one.
  package var hosts: [String]
  package var folder: CompanionFolder
  /// The configuration of codex's process.
  package var codex: AppServerProcessConfiguration
  /// The folder `$CODEX_HOME`, where codex keeps its chats.
  package var codexHome: String
  /// Folders in which chats may be begun, beside those in which there are some.
  package var projects: [String]
  /// The URL to notify that a question waits; nil for none.
  package var notify: Origin?
  /// The path below ``notify``.
  package var notifyPath: String
  /// The runtime that chats are mirrored to; nil for none.
  package var mirror: MirrorConfiguration?
  /// The path of a program that turns dictated sound into text; nil for none.
  package var transcribe: String?
  /// The directory that each HTTP/3 connection's events are written to; nil for none.
  package var qlogDirectory: String?
  package var qlogSampling = QlogSampling()
  /// The time that ``Companion/shutdown()`` waits for running requests.
  package var drainTimeout = Duration.seconds(5)
  /// The time between two signs of life on an event stream.
  package var keepAlive = Duration.seconds(15)
  package var clock: any Clock<Duration> = ContinuousClock()

  package init(
    address: String, port: Int, certificatePEM: String, privateKeyPEM: String, fingerprint: [UInt8]?, hosts: [String],
    folder: CompanionFolder, codex: AppServerProcessConfiguration, codexHome: String, projects: [String] = [],
    notify: Origin? = nil, notifyPath: String = "/"
  ) {
    self.address = address
    self.port = port
    self.certificatePEM = certificatePEM
    self.privateKeyPEM = privateKeyPEM
    self.fingerprint = fingerprint
    self.hosts = hosts
    self.folder = folder
    self.codex = codex
    self.codexHome = codexHome
    self.projects = projects
    self.notify = notify
    self.notifyPath = notifyPath
  }
}
