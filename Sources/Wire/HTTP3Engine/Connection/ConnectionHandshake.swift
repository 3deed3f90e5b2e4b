import CQUIC

/// The handshake of a connection (RFC 9001 § 4): judges TLS's messages, settles early data, and keeps what was agreed on.
final class ConnectionHandshake {
  private let isServer: Bool
  private let configuration: ConnectionConfiguration
  private let quic: QUICConnection
  private let mapping: StreamMapping
  private let resumption: SessionResumption
  private let datagrams: HTTPDatagrams
  private let packetGuard: PacketGuard
  private let lifetime: ConnectionLifetime
  private let watch: PathWatch
  private let events: EventQueue
  private let qlog: QlogTrace?
  /// The result; nil before the handshake is complete.
  private(set) var info: HandshakeInfo?

  init(
    _ quic: QUICConnection, _ mapping: StreamMapping, _ resumption: SessionResumption, _ datagrams: HTTPDatagrams,
    _ packetGuard: PacketGuard, _ lifetime: ConnectionLifetime, _ watch: PathWatch, _ events: EventQueue,
    qlog: QlogTrace?, _ configuration: ConnectionConfiguration, isServer: Bool
  ) {
    self.quic = quic
    self.mapping = mapping
    self.resumption = resumption
    self.datagrams = datagrams
    self.packetGuard = packetGuard
    self.lifetime = lifetime
    self.watch = watch
    self.events = events
    self.qlog = qlog
    self.configuration = configuration
    self.isServer = isServer
  }

  var isComplete: Bool { info != nil }

  // MARK: Keys

  /// There are keys for 1-RTT packets in one direction. A server may write at 1-RTT before the handshake ends, a client
  /// only after: each makes its streams at the first moment at which it may.
  func didInstallKeys(forWriting isForWriting: Bool) throws(HTTP3Error) {
    guard isServer == isForWriting else { return }
    guard quic.peerParameters != nil else { throw PeerParameters.missing }
    // A server's Finished was written before this key was made.
    if isServer { mapping.raw?.sendCrypto(configuration.rawBehindFinished, inHandshake: true) }
    try mapping.open()
  }

  /// See ``HTTP3Connection/updateKeys(at:)``.
  func updateKeys(at now: Timestamp) -> Bool {
    // The library asserts that the handshake's last packets were written.
    guard !lifetime.isClosed, isComplete, !packetGuard.isFirstWriteDue else { return false }
    return quic.updateKeys(at: now)
  }

  // MARK: The end

  func didComplete() throws(HTTP3Error) {
    guard let tls = quic.tls else { return }
    if let limit = configuration.packetsPerKey { quic.limitKeyUse(to: limit) }
    try tls.requireApplicationProtocol()
    try tls.requireVerdictOnClient()
    let info = tls.info(quic.version, try settleEarlyData(isTaken: tls.tookEarlyData))
    self.info = info
    packetGuard.handshakeDidComplete()
    watch.handshakeDidComplete()
    if !isServer { mapping.raw?.sendCrypto(configuration.rawBehindFinished, inHandshake: true) }
    qlog?.handshakeCompleted(info)
    events.append(.handshakeCompleted(info))
    resumption.offer()
  }

  private func settleEarlyData(isTaken: Bool) throws(HTTP3Error) -> HandshakeInfo.EarlyData {
    switch resumption.settle(isTaken: isTaken) {
    // A server's is GnuTLS's to take.
    case .notOffered: return isServer && isTaken ? .accepted : .notOffered
    case .accepted: return .accepted
    case .rejected:
      // Its streams are gone on both sides.
      try quic.rejectEarlyData()
      datagrams.removeAll()
      qlog?.earlyDataRefused()
      try mapping.restart(
        HTTP3Error(.requestNotProcessed, side: .remote, "The server refused early data; the request may be sent again.")
      )
      return .rejected
    }
  }

  // MARK: Early data

  /// See ``HTTP3Connection/isSendingEarlyData``.
  var isSendingEarlyData: Bool {
    resumption.isEarlyDataOffered && mapping.isOpen && !isComplete && !lifetime.isClosed
  }

  /// Takes up the session behind the ticket; if that fails, the handshake is a full one.
  func resume(with ticket: ResumptionTicket) { resumption.resume(with: ticket) }

  /// Gives the client of a server a token for its next connection from where it is now.
  func offerToken(for path: NetworkPath) { resumption.offerToken(for: path) }

  // MARK: Inside GnuTLS's calls

  /// GnuTLS's verification hook: 0 accepts.
  func verifyPeer() -> Int32 {
    guard let tls = quic.tls else { return -1 }
    return lifetime.settle { () throws(HTTP3Error) in try tls.verifyPeer() } ? 0 : -1
  }

  /// GnuTLS's hook around a message of the handshake: 0, or what ends it.
  func handshakeMessagePassed(
    _ message: HandshakeHook.Message, _ moment: HandshakeHook.Moment, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    if isServer, message == .clientHello, moment == .beforeTaking { quic.tls?.willReadClientHello(bytes) }
    let hook = HandshakeHook(
      offersEarlyData: resumption.isEarlyDataOffered, opensEarlyData: quic.tls?.opensEarlyData == true,
      groups: configuration.keyExchangeGroups)
    switch hook.verdict(on: message, moment, bytes) {
    case .proceed: break
    case .willReadTicket(let allowsEarlyData): resumption.willReadTicket(allowsEarlyData: allowsEarlyData)
    case .didReadTicket: resumption.didReadTicket()
    case .refuseEarlyData: quic.tls?.refuseEarlyData()
    case .retryWithoutEarlyData:
      lifetime.fail(with: .earlyDataRetry)
      return GNUTLS_E_UNEXPECTED_PACKET
    case .malformedParameters:
      quic.refuseParameters()
      return GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER
    case .tooLateToRetry: return GNUTLS_E_ILLEGAL_PARAMETER
    case .expectCertificate: packetGuard.certificateWasRequested()
    case .refuseCertificates(let breach):
      lifetime.fail(with: (isServer ? CertificateOwner.client : .server).breach(breach))
      return GNUTLS_E_CERTIFICATE_ERROR
    }
    return 0
  }
}
