import CQUIC

/// Writes a connection's datagrams: DATAGRAM frames first, then the streams' data and repeats where there is room, as many
/// packets to a batch as go out in one call of the kernel's; a PING and CONNECTION_CLOSE where nothing else is left.
///
/// Its loop is the one that ngtcp2 asks of its callers (`ngtcp2_conn_writev_stream`).
final class PacketWriter {
  /// Pieces of one stream that are handed to the library at once: a frame of more than three it never frees once it was cut
  /// (fixed by 17d5b7a0 of 1.20).
  private static let mostVectors = 3

  private let quic: QUICConnection
  private let mapping: StreamMapping
  private let datagrams: HTTPDatagrams
  private let repeats: RepeatSender?
  private let handshake: ConnectionHandshake
  private let paths: ConnectionPaths
  private let watch: PathWatch
  private let packetGuard: PacketGuard
  private let lifetime: ConnectionLifetime
  private let qlog: QlogTrace?
  private let usesECN: Bool
  private var stall = SendStall()
  /// A datagram that did not fit the batch before it.
  private var held: HeldDatagram?
  private(set) var packetsKeptBack = 0

  init(
    _ quic: QUICConnection, _ mapping: StreamMapping, _ datagrams: HTTPDatagrams, _ repeats: RepeatSender?,
    _ handshake: ConnectionHandshake, _ paths: ConnectionPaths, _ watch: PathWatch, _ packetGuard: PacketGuard,
    _ lifetime: ConnectionLifetime, qlog: QlogTrace?, usesECN: Bool
  ) {
    self.quic = quic
    self.mapping = mapping
    self.datagrams = datagrams
    self.repeats = repeats
    self.handshake = handshake
    self.paths = paths
    self.watch = watch
    self.packetGuard = packetGuard
    self.lifetime = lifetime
    self.qlog = qlog
    self.usesECN = usesECN
  }

  // MARK: A batch

  /// Writes datagrams of one path, mark and size into `batch`, which is empty; none when there is nothing to send now.
  ///
  /// - Parameter deadline: the connection's.
  func fill(_ batch: inout DatagramBatch, at now: Timestamp, deadline: @autoclosure () -> Timestamp?) {
    switch lifetime.phase {
    case .active:
      if packetGuard.takeFirstWrite() { quic.prepareFirstWrite() }
      mapping.http3?.startGoAway(at: now, wait: quic.probeTimeout)
      watch.willWrite()
      fillActive(&batch, at: now)
      if batch.isEmpty, !lifetime.isClosed { fillPing(&batch, at: now) }
      watch.didWrite(at: now)
      if batch.isEmpty || !batch.mayHaveMore { repeats?.dropHedges(at: now) }
      if batch.isEmpty || !batch.mayHaveMore, case .active = lifetime.phase { leaveIfStalled(deadline(), at: now) }
      // A failed write may have closed the connection: its last packet goes out in the next call.
      if batch.isEmpty { fillClosing(&batch) }
    case .closing:
      held = nil
      fillClosing(&batch)
    case .draining, .over: held = nil
    }
    // What is done last of all: a PING, a closed connection's packet, and in the handshake a look at the deadline.
    if !batch.isEmpty, lifetime.isClosed || !handshake.isComplete || watch.isPingDue { batch.mayHaveMore = true }
  }

  private func fillClosing(_ batch: inout DatagramBatch) {
    guard let packet = lifetime.takeClosePacket() else { return }
    batch.free.copyBytes(from: packet.bytes)
    batch.commit(packet.bytes.count, path: packet.path, ecn: .notECT)
  }

  private func fillActive(_ batch: inout DatagramBatch, at now: Timestamp) {
    if let datagram = held {
      held = nil
      batch.free.copyBytes(from: datagram.bytes)
      batch.commit(datagram.bytes.count, path: datagram.path, ecn: datagram.ecn)
    }
    let isKeepingBackDue = packetGuard.isKeepingBackDue && handshake.isComplete
    var candidate: (number: UInt64, length: Int)?
    while batch.segmentCount < DatagramBatch.maximumSegments, batch.free.count >= PacketPlace.largestDatagram {
      let destination = batch.free
      guard let written = writeDatagram(into: destination, at: now) else {
        batch.mayHaveMore = false
        break
      }
      let isFirst = batch.isEmpty
      let fits =
        isFirst
        || (written.path == batch.path && written.ecn == batch.ecn && written.count <= batch.segmentSize)
      guard fits else {
        held = HeldDatagram(
          bytes: Array(destination.prefix(written.count)), path: written.path, ecn: written.ecn)
        break
      }
      batch.commit(written.count, path: written.path, ecn: written.ecn)
      if isKeepingBackDue, batch.segmentCount == UnsentPackets.place + 1 { candidate = UnsentPackets.lastWritten }
      if written.count < batch.segmentSize { break }
    }
    if let candidate, batch.segmentCount > UnsentPackets.place + UnsentPackets.followers {
      batch.remove(at: UnsentPackets.place)
      packetGuard.didKeepBack(number: candidate.number, length: candidate.length)
      packetsKeptBack += 1
    }
    packetGuard.didSend(byteCount: batch.byteCount)
    guard case .active = lifetime.phase else { return }
    quic.pace(isHandshakeComplete: handshake.isComplete, isIdle: batch.isEmpty, at: now)
  }

  private func fillPing(_ batch: inout DatagramBatch, at now: Timestamp) {
    watch.writingPing {
      // It counts from the last packet, which may be of this very moment.
      fillActive(&batch, at: quic.advance(to: now + .nanoseconds(1)))
    }
  }

  /// Ends a connection that will never send data again; called when there is nothing to send.
  private func leaveIfStalled(_ deadline: @autoclosure () -> Timestamp?, at now: Timestamp) {
    let flight = quic.flight
    // On a copy: the deadline reads the whole connection, which must not overlap with a change of a part.
    var stall = stall
    let isStalled = stall.isStalled(inFlight: flight.byteCount, window: flight.window, deadline: deadline(), at: now)
    self.stall = stall
    if flight.byteCount == 0 { packetGuard.nothingIsInFlight() }
    if isStalled { lifetime.end(.stall, at: now) }
  }

  // MARK: One datagram

  /// Writes one, filled from as many streams as fit; nil when nothing can be sent now.
  private func writeDatagram(into destination: UnsafeMutableRawBufferPointer, at now: Timestamp) -> WrittenDatagram? {
    if paths.isAmplificationLimitReached(at: now) { return nil }
    return PacketPlace.with(destination, isMarked: usesECN) { packet -> WrittenDatagram? in
      let count = datagrams.write(packet, at: now)
      guard count == 0 else {
        packetGuard.didSendData()
        return didWrite(packet, count, at: now)
      }
      return withUnsafeTemporaryAllocation(of: nghttp3_vec.self, capacity: Self.mostVectors) {
        vectors -> WrittenDatagram? in
        while true {
          guard let data = nextData(vectors, at: now) else { return nil }
          if data.id < 0, let count = repeats?.write(packet, at: now), count != 0 {
            packetGuard.didSendData()
            return didWrite(packet, count, at: now)
          }
          let (count, taken) = forging {
            quic.write(data, vectors, packet, isForged: mapping.raw != nil, at: now)
          }
          qlog?.streamDataSent(vectors, count: taken, on: StreamID(data.id))
          repeats?.didSend(vectors, data.vectorCount, count: taken, on: StreamID(data.id), at: now)
          mapping.didSend(data, count: taken)
          if taken > 0 { packetGuard.didSendData() }
          if count > 0 { return didWrite(packet, count, at: now) }
          guard count < 0, canContinue(after: Int32(clamping: count), on: data.id, at: now) else { return nil }
        }
      }
    }
  }

  /// Notes a packet that is complete; nil for the library's error.
  private func didWrite(_ packet: PacketPlace, _ count: Int, at now: Timestamp) -> WrittenDatagram? {
    guard count > 0 else {
      lifetime.didFail(Int32(clamping: count), at: now)
      return nil
    }
    qlog?.datagramSent(count)
    repeats?.packetDidEnd()
    packetGuard.didWrite(UnsafeRawBufferPointer(rebasing: packet.bytes.prefix(count)))
    let written = packet.written(count)
    paths.didWrite(count, to: written.path)
    return written
  }

  /// The bytes that go out next; nil where there is a failure, which has ended the connection.
  private func nextData(
    _ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, at now: Timestamp
  ) -> StreamMapping.StreamData? {
    do throws(HTTP3Error) {
      return try mapping.nextData(vectors)
    } catch {
      lifetime.fail(with: error)
      lifetime.didFail(NGTCP2_ERR_CALLBACK_FAILURE, at: now)
      return nil
    }
  }

  private func forging<Result>(_ body: () -> Result) -> Result {
    if let raw = mapping.raw { raw.forging(body) } else { body() }
  }

  /// Handles a negative answer of the write call; true to continue with the same datagram.
  private func canContinue(after code: Int32, on id: Int64, at now: Timestamp) -> Bool {
    switch code {
    case NGTCP2_ERR_WRITE_MORE: return true
    case NGTCP2_ERR_STREAM_DATA_BLOCKED where id >= 0:
      mapping.block(StreamID(id))
      return true
    case NGTCP2_ERR_STREAM_SHUT_WR where id >= 0, NGTCP2_ERR_STREAM_NOT_FOUND where id >= 0:
      mapping.stopWriting(StreamID(id))
      return true
    default:
      lifetime.didFail(code, at: now)
      return false
    }
  }
}
