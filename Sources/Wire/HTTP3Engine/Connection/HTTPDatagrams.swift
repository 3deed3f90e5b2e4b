import CQUIC

/// The HTTP Datagrams of one connection: finds out whether the peer and the request take them, and how large they may be.
///
/// ``DatagramState`` has those that wait.
final class HTTPDatagrams {
  private let quic: QUICConnection
  private let mapping: StreamMapping
  private let resumption: SessionResumption
  private let events: EventQueue
  private let isServer: Bool
  private let isEnabled: Bool
  private var state = DatagramState()

  init(
    _ quic: QUICConnection, _ mapping: StreamMapping, _ resumption: SessionResumption, _ events: EventQueue,
    isServer: Bool, isEnabled: Bool
  ) {
    self.events = events
    self.quic = quic
    self.mapping = mapping
    self.resumption = resumption
    self.isServer = isServer
    self.isEnabled = isEnabled
  }

  // MARK: Sizes

  /// The largest payload that can be sent now, in bytes; nil where datagrams were not agreed on (yet).
  func limit(on id: StreamID) -> Int? {
    // Both sides' SETTINGS, or those remembered with a ticket while early data is sent (RFC 9297 § 2.1.1).
    let settings = mapping.peerSettings ?? resumption.rememberedSettings
    guard isEnabled, settings?.allowsDatagrams == true, let frameLimit else { return nil }
    return DatagramState.payloadLimit(on: id, frameLimit: frameLimit)
  }

  private var frameLimit: Int? {
    DatagramState.frameLimit(payload: quic.maximumPayload, peer: quic.peerParameters?.datagramFrameLimit ?? 0)
  }

  // MARK: Sending

  /// Takes a datagram to be sent before all stream data.
  ///
  /// - Parameters:
  ///   - limit: the largest payload; nil where datagrams were not agreed on.
  ///   - isWritable: whether the request may still be written to.
  func send(_ payload: [UInt8], on id: StreamID, limit: Int?, isWritable: Bool) throws(HTTP3Error) {
    try state.send(payload, on: id, limit: limit, isWritable: isWritable)
  }

  /// Puts waiting datagrams into the packet that is being written. Answers its size when it is complete, 0 when there
  /// is room for other things, and the library's error.
  func write(_ packet: PacketPlace, at now: Timestamp) -> Int {
    guard isEnabled else { return 0 }
    while case .send(let frame) = state.next(frameLimit: { frameLimit }, request: progress) {
      let (count, isTaken) = quic.write(datagram: frame, packet, at: now)
      if isTaken { state.didSend() }
      guard count == ngtcp2_ssize(NGTCP2_ERR_WRITE_MORE) else { return count }
    }
    return 0
  }

  private func progress(of id: StreamID) -> DatagramState.Request {
    guard let stream = mapping.requests?.stream(id) else { return .gone }
    return isServer || stream.send.hasLeft ? .open : .unsent
  }

  /// Forgets those of one stream, or of all.
  func removeAll(of stream: StreamID? = nil) { state.removeAll(of: stream) }

  // MARK: Receiving

  /// Takes a frame, and reports what it carries unless that is dropped, or a repeat of a response's content.
  func receive(_ frame: UnsafeRawBufferPointer) throws(HTTP3Error) {
    let datagram = try state.receive(frame) { mapping.requests?.stream($0).map { !$0.receive.isOver } ?? false }
    guard let datagram else { return }
    guard let repeats = mapping.http3?.repeats, let stream = mapping.requests?.stream(datagram.stream),
      stream.assembly != nil, mapping.http3?.peerAllowsRepeats != false
    else { return events.append(.datagramReceived(datagram.stream, datagram.payload)) }
    state.didTake()
    try repeats.receive(datagram.payload, on: stream)
  }

  /// The owner has taken one that was received.
  func didTake() { state.didTake() }
}
