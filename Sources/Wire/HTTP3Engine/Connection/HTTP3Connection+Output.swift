import CQUIC

extension HTTP3Connection {
  /// The largest datagram that is ever written; path-MTU discovery probes up to 1 444 bytes.
  private static let largestDatagram = 1_500
  /// Pieces of one stream that are handed to the library at once: a frame of more than three it never frees once it was cut
  /// (mended by 17d5b7a0 of 1.20).
  private static let mostVectors = 3

  /// Writes datagrams of one path, mark and size into `batch`; answers false when there is nothing to send now, of which
  /// ``DatagramBatch/mayHaveMore`` tells one call earlier.
  package func fill(_ batch: inout DatagramBatch, at now: Timestamp) -> Bool {
    batch.removeAll()
    let now = clamp(now)
    switch phase {
    case .active:
      prepareFirstWrite()
      mapping.http3?.startGoAway(at: now, wait: probeTimeout)
      // What three probe time-outs are changes all the time.
      if liveness.isAttentive { applyKeepAlive() }
      fillActive(&batch, at: now)
      if batch.isEmpty { fillPing(&batch, at: now) }
      noteFlight(at: now)
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

  func fillActive(_ batch: inout DatagramBatch, at now: Timestamp) {
    if let datagram = held {
      held = nil
      batch.free.copyBytes(from: datagram.bytes)
      batch.commit(datagram.bytes.count, path: datagram.path, ecn: datagram.ecn)
    }
    while batch.segmentCount < DatagramBatch.maximumSegments, batch.free.count >= Self.largestDatagram {
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
    if case .active = phase { pace(isIdle: batch.isEmpty, at: now) }
  }

  /// Starts the library's pacing interval, which is otherwise lost; also after writing nothing (ngtcp2's pacing rule).
  ///
  /// An interval that was waited through longer than needed is credit to the library, and only then does it send a burst.
  /// A handshake's last flight and the first request or answer are one (RFC 9002 § 7.7: an initial window may leave at
  /// once), so an interval of the handshake is not woken up for: the peer's answer ends it, a round trip of credit later.
  private func pace(isIdle: Bool, at now: Timestamp) {
    guard handshake == nil else { return ngtcp2_conn_update_pkt_tx_time(quic, now.nanoseconds) }
    // All that may leave has left: what is due next apart from pacing is known now.
    guard isIdle else { return }
    handshakeExpiry = ngtcp2_conn_get_expiry(quic)
    ngtcp2_conn_update_pkt_tx_time(quic, now.nanoseconds)
  }

  private struct Written {
    var count: Int
    var path: NetworkPath
    var ecn: ECNCodepoint
  }

  /// One datagram, filled from as many streams as fit; nil when nothing can be sent now.
  private func writeDatagram(into destination: UnsafeMutableRawBufferPointer, at now: Timestamp) -> Written? {
    if isServer, isAmplificationLimitReached(at: now) { return nil }
    var path = ngtcp2_path_storage()
    var info = ngtcp2_pkt_info()
    let destination = UnsafeMutableRawBufferPointer(rebasing: destination.prefix(Self.largestDatagram))
    return withUnsafeMutablePointers(to: &path, &info) { storage, info -> Written? in
      ngtcp2_path_storage_zero(storage)
      // Without a place for its mark the library sets none.
      let mark = configuration.usesECN ? info : nil
      func written(_ count: ngtcp2_ssize) -> Written {
        qlog?.datagramSent(count)
        packetGuard.didWrite(UnsafeRawBufferPointer(rebasing: destination.prefix(count)))
        let path = NetworkPath(storage.pointee.path)
        clientAddresses.didSend(count, to: path.remote)
        return Written(count: count, path: path, ecn: ECNCodepoint(rawValue: info.pointee.ecn & 3) ?? .notECT)
      }
      let count = writeDatagrams(into: destination, path: &storage.pointee.path, info: mark, at: now)
      guard count == 0 else {
        if count > 0 { return written(count) }
        didFail(Int32(clamping: count), at: now)
        return nil
      }
      return withUnsafeTemporaryAllocation(of: nghttp3_vec.self, capacity: Self.mostVectors) { vectors -> Written? in
        while true {
          guard let data = nextData(vectors, at: now) else { return nil }
          var taken: ngtcp2_ssize = -1
          // A forged packet is whole after one call.
          var flags = UInt32(mapping.raw == nil ? NGTCP2_WRITE_STREAM_FLAG_MORE : NGTCP2_WRITE_STREAM_FLAG_NONE)
          if data.isLast { flags |= UInt32(NGTCP2_WRITE_STREAM_FLAG_FIN) }
          let count = forging {
            observing {
              CQUIC_conn_writev_stream(
                quic, &storage.pointee.path, mark,
                destination.baseAddress?.assumingMemoryBound(to: UInt8.self), destination.count, &taken, flags, data.id,
                vectors.baseAddress, data.vectorCount, now.nanoseconds)
            }
          }
          didSend(vectors, count: taken, on: data.id)
          // -1 on success: the packet holds other frames only and the data was not taken (ngtcp2#272).
          mapping.didSend(data, count: taken)
          if count > 0 { return written(count) }
          guard count < 0 else { return nil }
          guard goesOn(after: Int32(clamping: count), on: data.id, at: now) else { return nil }
        }
      }
    }
  }

  private func withUnsafeMutablePointers<First, Second, Result>(
    to first: inout First, _ second: inout Second,
    _ body: (UnsafeMutablePointer<First>, UnsafeMutablePointer<Second>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &first) { first in withUnsafeMutablePointer(to: &second) { body(first, $0) } }
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

  /// Handles a negative answer of the write call; true to go on with the same datagram.
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
