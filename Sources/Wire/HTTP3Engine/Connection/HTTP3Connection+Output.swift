import CQUIC

extension HTTP3Connection {
  /// Pieces of one stream that are handed to the library at once: a frame of more than three it never frees once it was cut
  /// (mended by 17d5b7a0 of 1.20).
  private static let mostVectors = 3

  /// Writes datagrams of one path, mark and size into `batch`; answers false when there is nothing to send now, of which
  /// ``DatagramBatch/mayHaveMore`` tells one call earlier.
  package func fill(_ batch: inout DatagramBatch, at now: Timestamp) -> Bool {
    batch.removeAll()
    let now = quic.advance(to: now)
    switch phase {
    case .active:
      if packetGuard.takeFirstWrite() { quic.prepareFirstWrite() }
      mapping.http3?.startGoAway(at: now, wait: quic.probeTimeout)
      // What three probe time-outs are changes all the time.
      if liveness.isResponseExpected { applyKeepAlive() }
      fillActive(&batch, at: now)
      if batch.isEmpty { fillPing(&batch, at: now) }
      if liveness.isWatching { liveness.didWrite(inFlight: quic.flight.byteCount, at: now) }
      if batch.isEmpty || !batch.mayHaveMore, case .active = phase { leaveIfStalled(at: now) }
      // A failed write may have closed the connection: its last packet goes out in the next call.
      if batch.isEmpty { fillClosing(&batch) }
    case .closing: fillClosing(&batch)
    case .draining, .over: break
    }
    // What is done last of all: a PING, a closed connection's packet, and in the handshake a look at the deadline.
    if !batch.isEmpty, isClosed || handshake == nil || liveness.isPingDue { batch.mayHaveMore = true }
    traffic.didSend(datagramCount: batch.segmentCount, byteCount: batch.byteCount)
    return !batch.isEmpty
  }

  private func fillClosing(_ batch: inout DatagramBatch) {
    guard let packet = takeClosePacket() else { return }
    batch.free.copyBytes(from: packet.bytes)
    batch.commit(packet.bytes.count, path: packet.path, ecn: .notECT)
  }

  private func fillActive(_ batch: inout DatagramBatch, at now: Timestamp) {
    if let datagram = held {
      held = nil
      batch.free.copyBytes(from: datagram.bytes)
      batch.commit(datagram.bytes.count, path: datagram.path, ecn: datagram.ecn)
    }
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
      if written.count < batch.segmentSize { break }
    }
    guard case .active = phase else { return }
    quic.pace(isHandshakeComplete: handshake != nil, isIdle: batch.isEmpty, at: now)
  }

  /// Writes the PING that is due, if nothing else is left to write: the library's own call for one is its keep-alive,
  /// which is made to be due.
  private func fillPing(_ batch: inout DatagramBatch, at now: Timestamp) {
    guard !isClosed, liveness.takePing() else { return }
    quic.keepAlive(after: .nanoseconds(1))
    // It counts from the last packet, which may be of this very moment.
    fillActive(&batch, at: quic.advance(to: now + .nanoseconds(1)))
    applyKeepAlive()
  }

  /// Ends a connection that will never send data again; called when there is nothing to send.
  private func leaveIfStalled(at now: Timestamp) {
    let flight = quic.flight
    // On a copy: the deadline is a look at the whole connection, which must not meet a part that is being changed.
    var stall = sendStall
    let isStalled = stall.isStalled(inFlight: flight.byteCount, window: flight.window, deadline: deadline, at: now)
    sendStall = stall
    if flight.byteCount == 0 { packetGuard.nothingIsInFlight() }
    if isStalled { end(.stall, at: now) }
  }

  /// One datagram, filled from as many streams as fit; nil when nothing can be sent now.
  private func writeDatagram(into destination: UnsafeMutableRawBufferPointer, at now: Timestamp) -> WrittenDatagram? {
    if isServer, isAmplificationLimitReached(at: now) { return nil }
    return PacketPlace.with(destination, isMarked: configuration.usesECN) { packet -> WrittenDatagram? in
      let count = writeDatagramFrames(packet, at: now)
      guard count == 0 else { return didWrite(packet, count, at: now) }
      return withUnsafeTemporaryAllocation(of: nghttp3_vec.self, capacity: Self.mostVectors) {
        vectors -> WrittenDatagram? in
        while true {
          guard let data = nextData(vectors, at: now) else { return nil }
          let (count, taken) = forging {
            quic.write(data, vectors, packet, isForged: mapping.raw != nil, at: now)
          }
          qlog?.streamDataSent(vectors, count: taken, on: StreamID(data.id))
          mapping.didSend(data, count: taken)
          if count > 0 { return didWrite(packet, count, at: now) }
          guard count < 0, goesOn(after: Int32(clamping: count), on: data.id, at: now) else { return nil }
        }
      }
    }
  }

  /// Notes a packet that is complete; nil for the library's error.
  private func didWrite(_ packet: PacketPlace, _ count: Int, at now: Timestamp) -> WrittenDatagram? {
    guard count > 0 else {
      didFail(Int32(clamping: count), at: now)
      return nil
    }
    qlog?.datagramSent(count)
    packetGuard.didWrite(UnsafeRawBufferPointer(rebasing: packet.bytes.prefix(count)))
    let written = packet.written(count)
    clientAddresses.didSend(count, to: written.path.remote)
    return written
  }

  /// Puts waiting datagrams into the packet that is being written. Answers its size when it is complete, 0 when there
  /// is room for other things, and the library's error.
  private func writeDatagramFrames(_ packet: PacketPlace, at now: Timestamp) -> Int {
    guard configuration.usesDatagrams else { return 0 }
    while case .send(let frame) = datagrams.next(frameLimit: { datagramFrameLimit }, request: datagramRequest) {
      let (count, isTaken) = quic.write(datagram: frame, packet, at: now)
      if isTaken { datagrams.didSend() }
      guard count == ngtcp2_ssize(NGTCP2_ERR_WRITE_MORE) else { return count }
    }
    return 0
  }

  private func datagramRequest(_ id: StreamID) -> DatagramState.Request {
    guard let stream = mapping.requests?.stream(id) else { return .gone }
    return isServer || stream.send.hasLeft ? .open : .unsent
  }

  /// The bytes that go out next; nil where there is a failure, which has ended the connection.
  private func nextData(
    _ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, at now: Timestamp
  ) -> StreamMapping.StreamData? {
    do throws(HTTP3Error) {
      return try mapping.nextData(vectors)
    } catch {
      fail(with: error)
      didFail(NGTCP2_ERR_CALLBACK_FAILURE, at: now)
      return nil
    }
  }

  private func forging<Result>(_ body: () -> Result) -> Result {
    if let raw = mapping.raw { raw.forging(body) } else { body() }
  }

  /// Handles a negative answer of the write call; true to continue with the same datagram.
  private func goesOn(after code: Int32, on id: Int64, at now: Timestamp) -> Bool {
    switch code {
    case NGTCP2_ERR_WRITE_MORE: return true
    case NGTCP2_ERR_STREAM_DATA_BLOCKED where id >= 0:
      mapping.block(StreamID(id))
      return true
    case NGTCP2_ERR_STREAM_SHUT_WR where id >= 0, NGTCP2_ERR_STREAM_NOT_FOUND where id >= 0:
      mapping.stopWriting(StreamID(id))
      return true
    default:
      didFail(code, at: now)
      return false
    }
  }
}
