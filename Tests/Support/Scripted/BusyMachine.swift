package import HTTP3Engine
package import StreamTransport

// What keeps tests steady on a machine that is busy with other things.

extension HTTP3TransportConfiguration {
  /// Nothing but the test's own limit ends an attempt, and no silence calls for another connection.
  package static var patient: HTTP3TransportConfiguration {
    var configuration = HTTP3TransportConfiguration()
    configuration.connectTimeout = .seconds(3_600)
    configuration.replacesSilentConnections = false
    return configuration
  }
}

extension HTTP1TransportConfiguration {
  /// Nothing but the test's own limit ends an attempt, or a connection that waits for the next request.
  package static var patient: HTTP1TransportConfiguration {
    var configuration = HTTP1TransportConfiguration()
    configuration.connectTimeout = .seconds(3_600)
    configuration.idleLimit = .seconds(3_600)
    return configuration
  }
}

extension ResumptionStore {
  /// A store in memory that is waited for: a busy machine does not count as a slow disk.
  package static var patient: ResumptionStore { ResumptionStore(path: nil, logger: nil, alarm: Alarm { _, _ in }) }
}

extension NetworkAddress {
  /// An address of loopback that nothing listens at, over UDP and TCP: a port that was given back is soon another test's.
  package static let closed = NetworkAddress(ip: .v4(0x7f53_0101), port: 4_433)
}

extension Origin {
  /// The one at ``HTTP3Engine/NetworkAddress/closed``.
  package static let closed = Origin(scheme: .https, host: "127.83.1.1", port: 4_433)
}
