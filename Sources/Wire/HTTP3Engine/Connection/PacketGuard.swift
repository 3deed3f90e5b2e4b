import CQUIC

/// Judges what a peer's packets hold before the library reads it, where the library (1.11) or GnuTLS would abort, crash or
/// keep too much: CRYPTO frames before they are buffered, their bytes before TLS reads them, connection ids, and
/// HANDSHAKE_DONE; and where the peer lies, or has the library work for nothing: acknowledgements of what was never sent,
/// packets and frames that bring nothing. What is read and what is written share it.
final class PacketGuard {
  enum Verdict {
    case read
    /// The packet counts as lost; an honest peer sends its frames again.
    case discard
    /// The packet came before, and is discarded.
    case copy
    case close(HTTP3Error)
  }

  /// The progress of a client's own Finished, before which no server can confirm the handshake (RFC 9001 § 4.1.2).
  private enum Finished {
    case handshakeIncomplete
    /// The handshake is complete; nothing was written since.
    case unwritten
    /// Written into no packet so far.
    case waiting
    /// A server waits for none of its own.
    case sent
  }

  private var isHandshakeComplete = false
  // Values that call nothing which comes back to them, for each packet: no check for overlapping access, as at
  // ``StreamState/watch``.
  @exclusivity(unchecked) private var finished: Finished
  @exclusivity(unchecked) private var messages: HandshakeMessageOrder
  @exclusivity(unchecked) private var reordering = [CryptoReordering](repeating: CryptoReordering(), count: 3)
  @exclusivity(unchecked) private var connectionIDs = ConnectionIDBudget()
  @exclusivity(unchecked) private var budget: FrameBudget
  @exclusivity(unchecked) private var numbers = ReceivedNumbers()
  @exclusivity(unchecked) private var unsent: UnsentPackets?
  /// Of 1-RTT packets.
  @exclusivity(unchecked) private var largestAcknowledged: UInt64?

  /// - Parameters:
  ///   - isServer: whether the peer is a client.
  ///   - window: bytes that the peer may send of one stream.
  ///   - unsent: packets to keep back; nil for none.
  init(isServer: Bool, window: UInt64 = 0, unsent: UnsentPackets? = nil) {
    self.unsent = unsent
    budget = FrameBudget(window: window)
    messages = HandshakeMessageOrder(isServer: isServer)
    finished = isServer ? .sent : .handshakeIncomplete
  }

  /// The handshake is complete; a client's Finished is still to be written.
  func handshakeDidComplete() {
    isHandshakeComplete = true
    if case .handshakeIncomplete = finished { finished = .unwritten }
  }

  /// A server has asked its client for a certificate.
  func certificateWasRequested() { messages.certificateWasRequested() }

  /// Whether a client has written nothing since its handshake was complete.
  var isFirstWriteDue: Bool {
    if case .unwritten = finished { true } else { false }
  }

  /// Takes a client's first write since its handshake was complete; false for any other.
  func takeFirstWrite() -> Bool {
    guard isFirstWriteDue else { return false }
    finished = .waiting
    return true
  }

  /// Notes a datagram that was written: a client's Finished goes into a Handshake packet.
  func didWrite(_ datagram: UnsafeRawBufferPointer) {
    guard case .waiting = finished, LongHeaderType.isHandshake(inDatagram: datagram) else { return }
    finished = .sent
  }

  /// Whether the library may read a packet that was opened.
  ///
  /// - Parameters:
  ///   - header: the packet's, without protection.
  ///   - level: nil for 0-RTT.
  func judge(
    packet payload: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer, at level: HandshakeMessageOrder.Level?,
    now: Timestamp
  ) -> Verdict {
    // 0-RTT and 1-RTT packets have their numbers in common (RFC 9000 § 12.3). The library takes no copy either, but for one of
    // a packet that was discarded here.
    if level == nil || level == .oneRTT, !numbers.insert(header: header) { return .copy }
    let unsent = level == .oneRTT ? unsent?.numbers ?? [] : []
    guard var frames = GuardedFrames(payload, unsent: unsent) else { return .read }
    var given = ConnectionIDBudget.Gift()
    while let frame = frames.next() {
      switch frame {
      case .crypto(let offset, let count):
        // The library refuses it in 0-RTT.
        guard let level else { return .read }
        let limit = isHandshakeComplete ? CryptoReordering.limit : CryptoReordering.handshakeLimit
        guard reordering[level.rawValue].admit(offset: offset, count: count, limit: limit) else {
          return .close(
            HTTP3Error(.transport(.cryptoBufferExceeded), "The peer sent more CRYPTO bytes out of order than are kept.")
          )
        }
      case .newConnectionID(let sequence, let retirePriorTo):
        given.add(sequence, retirePriorTo: retirePriorTo)
        if given.isBeyondLimit { return .close(Self.connectionIDLimit) }
        switch connectionIDs.spend(sequence) {
        case .within: break
        case .tooSoon: return .discard
        case .flood: return .close(Self.connectionIDLimit)
        }
      case .handshakeDone:
        // Before our Finished has left, the library frees what it needs to send it (ngtcp2_conn.c:9479, 9780 of 1.11.0).
        guard case .sent = finished else {
          return .close(
            HTTP3Error(
              .transport(.protocolViolation), "The server confirmed a handshake that it cannot have completed."))
        }
      }
    }
    guard !frames.acknowledgesUnsent else { return .close(Self.optimism) }
    if level == .oneRTT, let largest = frames.largestAcknowledged {
      largestAcknowledged = max(largestAcknowledged ?? largest, largest)
    }
    guard budget.spend(frames.tally, at: now) else { return .close(level == .oneRTT ? Self.load : Self.earlyLoad) }
    return .read
  }

  private static let optimism = HTTP3Error(
    .transport(.protocolViolation), "The peer acknowledges a packet that was kept back, and so what it did not receive."
  )
  private static let load = HTTP3Error(
    .application(.excessiveLoad), "The peer sends many packets and frames that bring nothing.")
  /// The application's codes are for 1-RTT packets (RFC 9000 § 10.2.3).
  private static let earlyLoad = HTTP3Error(.transport(.internalError), load.message)

  private static let connectionIDLimit = HTTP3Error(
    .transport(.connectionIDLimitError),
    "The peer gives more connection ids than are kept, or faster than they are retired.")

  /// The error that ends the connection before TLS reads the next bytes of a level, which are in order; nil for none.
  func breach(
    in bytes: UnsafeRawBufferPointer, at level: HandshakeMessageOrder.Level, offset: UInt64
  ) -> HTTP3Error? {
    reordering[level.rawValue].didDeliver(upTo: offset + UInt64(bytes.count))
    budget.didReceive(byteCount: bytes.count)
    switch messages.breach(in: bytes, at: level) {
    case nil: return nil
    case .unexpected(let type):
      return HTTP3Error(
        .tlsAlert(UInt8(GNUTLS_A_UNEXPECTED_MESSAGE.rawValue)),
        "The peer sent a TLS message that may not come here (type \(type)).")
    case .tooLong(let length):
      return HTTP3Error(
        .transport(.cryptoBufferExceeded), "The peer announced a TLS message of \(length) bytes, more than are kept.")
    }
  }

  /// Notes data of a stream, or a DATAGRAM, that had not come before.
  func didReceive(byteCount: Int) { budget.didReceive(byteCount: byteCount) }

  /// Notes a packet with data of ours.
  func didSendData() { budget.didSendData() }

  // MARK: Packets that are kept back

  /// Whether a batch that is large enough is to lose one.
  var isKeepingBackDue: Bool { unsent?.isDue ?? false }

  func didSend(byteCount: Int) { unsent?.didSend(byteCount: byteCount) }

  /// Notes a 1-RTT packet that is kept back by the last bytes of its number.
  func didKeepBack(number: UInt64, length: Int) {
    unsent?.add(ReceivedNumbers.expanded(number, length: length, behind: largestAcknowledged))
  }

  /// Nothing that was sent waits for an acknowledgement.
  func nothingIsInFlight() { connectionIDs.refill() }
}

extension HandshakeMessageOrder.Level {
  /// The level of a packet by its header without protection; nil for one without CRYPTO frames (RFC 9000 § 12.5).
  init?(header: UnsafeRawBufferPointer) {
    guard let first = header.first else { return nil }
    guard first & 0x80 != 0 else {
      self = .oneRTT
      return
    }
    switch LongHeaderType(header) {
    case .initial: self = .initial
    case .handshake: self = .handshake
    case .zeroRTT, .retry, nil: return nil
    }
  }

  init?(_ level: ngtcp2_encryption_level) {
    switch level {
    case NGTCP2_ENCRYPTION_LEVEL_INITIAL: self = .initial
    case NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE: self = .handshake
    case NGTCP2_ENCRYPTION_LEVEL_1RTT: self = .oneRTT
    default: return nil
    }
  }
}
