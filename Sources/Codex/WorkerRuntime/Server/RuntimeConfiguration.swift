package import HummingbirdHTTP3
package import StreamTransport

/// The configuration of a ``WorkerServer``.
package struct RuntimeConfiguration: Sendable {
  /// The IP address to listen on.
  package var address: String
  /// The TCP and UDP port; 0 takes a free one.
  package var port: Int
  /// Open sockets that are served in place of ``address`` and ``port``; nil for none.
  package var sockets: InheritedSockets?
  /// The certificates and their keys; the first is for clients that ask for no name, or for one that none has.
  package var identities: [ServerIdentity]
  /// The certificates that clients are asked for; nil for none.
  package var clientCertificates: ClientCertificatePolicy?
  package var settings: RuntimeSettings
  /// The time that ``WorkerServer/shutdown()`` waits for running requests.
  package var drainTimeout = Duration.seconds(10)
  package var http3 = HTTP3ServerOptions()
  /// Receives a record of each request; nil for none.
  package var accessLog: AccessLog?

  package init(
    address: String, port: Int, identities: [ServerIdentity],
    settings: RuntimeSettings = RuntimeSettings()
  ) {
    self.address = address
    self.port = port
    self.identities = identities
    self.settings = settings
  }
}

/// The settings of a runtime apart from its address.
package struct RuntimeSettings: Sendable {
  /// The form of a stream's failures.
  package var dialect = Dialect.runtime
  /// The time limit of a device for a request.
  package var requestTimeout = Duration.seconds(30)
  /// The time between two signs of life on an endless stream.
  package var keepAlive = Duration.seconds(15)
  /// The events that are kept of each worker.
  package var keptEvents: Int64 = 100_000
  /// Requests of one user in a minute.
  package var requestsPerMinute = 60
  /// Event streams of one user, and of all.
  package var streamsPerUser = 256
  package var streams = 4_096
  /// Sends the codes by which people sign in; nil where nobody does.
  package var mailer: (@Sendable (_ email: String, _ code: String) async throws -> Void)?

  /// The configuration of codex beside the runtime; nil for none.
  package var hosted: HostedSettings?

  package init() {}
}
