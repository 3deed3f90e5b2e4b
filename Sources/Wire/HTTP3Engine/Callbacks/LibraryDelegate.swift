import CQUIC

/// The object behind the libraries' callbacks: hands what the QUIC library and GnuTLS report inside their calls to the part
/// of the connection whose business it is, and keeps the reason where that part fails.
///
/// The libraries hold it unretained; its connection keeps it for as long as they run.
final class LibraryDelegate {
  private let quic: QUICConnection
  private let mapping: StreamMapping
  private let handshake: ConnectionHandshake
  private let resumption: SessionResumption
  private let paths: ConnectionPaths
  private let datagrams: HTTPDatagrams
  private let repeats: RepeatSender?
  private let packetGuard: PacketGuard
  private let lifetime: ConnectionLifetime
  private let events: EventQueue
  private let qlog: QlogTrace?
  private var connectionIDs: OwnConnectionIDs

  init(
    _ quic: QUICConnection, _ mapping: StreamMapping, _ handshake: ConnectionHandshake,
    _ resumption: SessionResumption, _ paths: ConnectionPaths, _ datagrams: HTTPDatagrams, _ repeats: RepeatSender?,
    _ packetGuard: PacketGuard, _ lifetime: ConnectionLifetime, _ events: EventQueue, qlog: QlogTrace?,
    _ connectionIDs: OwnConnectionIDs
  ) {
    self.quic = quic
    self.mapping = mapping
    self.handshake = handshake
    self.resumption = resumption
    self.paths = paths
    self.datagrams = datagrams
    self.repeats = repeats
    self.packetGuard = packetGuard
    self.lifetime = lifetime
    self.events = events
    self.qlog = qlog
    self.connectionIDs = connectionIDs
  }

  /// Runs a callback's work; its failure ends the connection once the library's call has returned.
  func settle(_ work: (LibraryDelegate) throws(HTTP3Error) -> Void) -> Int32 {
    lifetime.settle { () throws(HTTP3Error) in try work(self) } ? 0 : NGTCP2_ERR_CALLBACK_FAILURE
  }

  func fail(with error: HTTP3Error) { lifetime.fail(with: error) }

  // MARK: Packets

  /// Whether the library may read the frames of a packet that it has opened.
  func judge(_ payload: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer) -> PacketGuard.Verdict {
    let level = HandshakeMessageOrder.Level(header: header)
    let verdict = packetGuard.judge(packet: payload, header: header, at: level, now: quic.now)
    switch verdict {
    case .read, .discard: break
    case .copy: qlog?.copyDropped(header)
    case .close(let error): lifetime.fail(with: error)
    }
    return verdict
  }

  /// TLS takes the next bytes of a CRYPTO stream, which are in order.
  func willTakeCrypto(
    _ bytes: UnsafeRawBufferPointer, at level: HandshakeMessageOrder.Level, offset: UInt64
  ) throws(HTTP3Error) {
    if let breach = packetGuard.breach(in: bytes, at: level, offset: offset) { throw breach }
  }

  // MARK: The handshake

  func didInstallKeys(forWriting isForWriting: Bool) throws(HTTP3Error) {
    try handshake.didInstallKeys(forWriting: isForWriting)
  }

  func handshakeDidComplete() throws(HTTP3Error) { try handshake.didComplete() }

  func handshakeWasConfirmed() { qlog?.enter(.handshakeConfirmed) }

  func didReceiveNewToken(_ token: UnsafeBufferPointer<UInt8>) { resumption.didReceiveNewToken(token) }

  /// GnuTLS's verification hook: 0 accepts.
  func verifyPeer() -> Int32 { handshake.verifyPeer() }

  /// GnuTLS's hook around a message of the handshake: 0, or what ends it.
  func handshakeMessagePassed(
    _ message: HandshakeHook.Message, _ moment: HandshakeHook.Moment, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    handshake.handshakeMessagePassed(message, moment, bytes)
  }

  /// The session whose callback it is.
  var tls: TLSSession? { quic.tls }

  // MARK: Streams

  func streamDidOpen(_ id: StreamID) { mapping.streamDidOpen(id) }

  func didReceive(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool, isEarly: Bool
  ) throws(HTTP3Error) {
    packetGuard.didReceive(byteCount: bytes.count)
    try mapping.receive(bytes, on: id, at: offset, isLast: isLast, isEarly: isEarly)
    // They come on a control stream.
    guard id.isUnidirectional, let settings = mapping.http3?.takeNewSettings() else { return }
    try resumption.settingsDidArrive(settings)
  }

  func didAcknowledge(_ count: UInt64, on id: StreamID) throws(HTTP3Error) {
    try mapping.didAcknowledge(count, on: id)
    repeats?.didAcknowledge(contentOf: id, at: quic.now)
  }

  func didExtendWindow(of id: StreamID) throws(HTTP3Error) { try mapping.unblock(id) }

  func streamDidClose(_ id: StreamID, code: ApplicationErrorCode?) throws(HTTP3Error) {
    quic.streams.allowAnother(id)
    if code != nil { try mapping.requests?.countClosing(of: id, at: quic.now) }
    try mapping.streamDidClose(id, code: code)
  }

  func streamDidReset(_ id: StreamID, code: ApplicationErrorCode) throws(HTTP3Error) {
    try mapping.checkReset(of: id)
    try mapping.requests?.countReset(of: id, at: quic.now)
    try mapping.streamDidReset(id, code: code)
  }

  func didStopReading(_ id: StreamID) throws(HTTP3Error) { try mapping.didStopReading(id) }

  /// The peer takes more requests of ours.
  func requestStreamsAvailable() { events.append(.requestStreamsAvailable) }

  /// The client may open streams up to the `maximum`th.
  func allowRequests(upTo maximum: UInt64) { mapping.allowRequests(upTo: maximum) }

  func didReceiveDatagram(_ frame: UnsafeRawBufferPointer) throws(HTTP3Error) {
    packetGuard.didReceive(byteCount: frame.count)
    try datagrams.receive(frame)
  }

  func didAcknowledge(datagram number: UInt64) { repeats?.didAcknowledge(number) }

  func didLose(datagram number: UInt64) { repeats?.didLose(number) }

  // MARK: Paths and connection ids

  /// The library's verdict on a path.
  func didTry(_ path: NetworkPath, from old: NetworkPath?, _ verdict: PathVerdict, wantsToken: Bool) {
    paths.didTry(path, from: old, verdict, wantsToken: wantsToken)
  }

  /// The path that the library is to try when the handshake is confirmed; nil for none.
  func takePreferredPath() -> NetworkPath? { paths.takePreferredPath() }

  func fillRandom(_ bytes: UnsafeMutableRawBufferPointer) { quic.random.fill(bytes) }

  /// Makes a connection id of ours with its reset token; false where that fails.
  func makeConnectionID(
    _ cid: UnsafeMutablePointer<ngtcp2_cid>, length: Int, token: UnsafeMutablePointer<UInt8>?
  ) -> Bool {
    cid.pointee = connectionIDs.make(length, from: quic.random)
    guard StatelessResetToken.write(connectionIDs.tokens, of: cid, to: token, random: quic.random) else { return false }
    connectionIDs.didAdd(ConnectionID(cid.pointee))
    return true
  }

  /// The peer has retired an id of ours.
  func didRetire(_ id: ConnectionID) { connectionIDs.didRemove(id) }

  /// Takes the oldest change of our ids that nobody has taken.
  func takeConnectionIDChange() -> ConnectionIDChange? { connectionIDs.takeChange() }

  // MARK: The trace

  func log(_ line: Substring) { qlog?.library(line) }
}
