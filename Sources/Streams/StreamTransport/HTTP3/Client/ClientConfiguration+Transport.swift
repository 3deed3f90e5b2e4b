import HTTP3Engine
import TransportRecords

extension ClientConfiguration {
  /// The engine's configuration for a transport's connections, without what is each one's own, such as a ticket.
  init(host: String, verifier: CertificateVerifier, _ configuration: HTTP3TransportConfiguration) {
    self.init(host: host, verifier: verifier)
    connection.idleTimeout = configuration.idleTimeout
    connection.keepAlive = configuration.keepAlive
    if configuration.offersQUICVersion2 { connection.versions = [.v2, .v1] }
    if configuration.speaksQUICVersion2Alone { connection.versions = [.v2] }
    connection.probesPathMTU = configuration.probesPathMTU
    connection.cipherSuites = configuration.cipherSuites
    connection.mapping = configuration.mapping
    connection.initialRoundTrip = configuration.initialRoundTrip ?? connection.initialRoundTrip
    connection.maximumAckDelay = configuration.maximumAckDelay ?? connection.maximumAckDelay
    connection.repeats = configuration.repeatedResponses.forEngine.map {
      RepeatConfiguration(responses: $0, hedge: configuration.hedgeDelay)
    }
    connection.streamWindow = UInt64(clamping: max(configuration.receiveWindow, 1))
    connection.connectionWindow = .max
    connection.sendBufferTarget = configuration.sendBuffer
    connection.maximumFieldSectionSize = configuration.maximumFieldSectionSize
  }

  /// Continues what an earlier connection to the server left.
  mutating func resume(_ remembered: RememberedServer, sendsEarlyData: Bool) {
    ticket = remembered.ticket
    // Without the server's limits there is nothing to send early by.
    if !sendsEarlyData { ticket?.transportParameters = [] }
    token = remembered.token
    if let roundTrip = remembered.roundTrip {
      // One that was very short must not make the first probes hasty on another network, nor a very long one slow.
      connection.initialRoundTrip = min(max(roundTrip, .milliseconds(25)), .seconds(1))
    }
  }
}
