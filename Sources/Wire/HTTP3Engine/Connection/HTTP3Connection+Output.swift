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
      startGoAway(at: now)
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
          guard let data = nextStreamData(vectors, at: now) else { return nil }
          var taken: ngtcp2_ssize = -1
          // A forged packet is whole after one call.
          var flags = UInt32(raw == nil ? NGTCP2_WRITE_STREAM_FLAG_MORE : NGTCP2_WRITE_STREAM_FLAG_NONE)
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
          note(data, taken: taken)
          if count > 0 { return written(count) }
          guard count < 0 else { return nil }
          guard resolve(Int32(clamping: count), on: data.id, at: now) else { return nil }
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

  private struct StreamData {
    var id: Int64
    var isLast: Bool
    var vectorCount: Int
  }

  /// Tells HTTP/3 what was taken, and remembers a message's end that was not.
  ///
  /// nghttp3 (1.8) keeps an end without data as an empty entry behind the data, and drops it with the data when that is
  /// acknowledged; an end that was offered and held back by pacing or the congestion window would never be sent. One that
  /// it does know takes this as that end's having left, and of one that it has forgotten there is nothing to take.
  private func note(_ data: StreamData, taken: ngtcp2_ssize) {
    guard data.id >= 0 else { return }
    if let raw {
      if taken >= 0 { raw.didSend(taken, on: data.id) }
      return
    }
    let id = StreamID(data.id)
    if http09 != nil {
      if taken >= 0 { didSendHTTP09(taken, on: id, isLast: data.isLast) }
      return
    }
    guard taken >= 0 else {
      if data.isLast, data.vectorCount == 0, streams[id] != nil { endsHeldBack.insert(id) }
      return
    }
    if data.isLast { endsHeldBack.remove(id) }
    if configuration.usesDatagrams { streams[id]?.hasLeft = true }
    if let http { _ = nghttp3_conn_add_write_offset(http, data.id, taken) }
  }

  /// What HTTP/3 wants to send next; id -1 when it has nothing or the connection window is shut.
  private func nextStreamData(
    _ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, at now: Timestamp
  ) -> StreamData? {
    if let raw {
      guard ngtcp2_conn_get_max_data_left(quic) > 0, let next = raw.next(vectors) else {
        return StreamData(id: -1, isLast: false, vectorCount: 0)
      }
      return StreamData(id: next.id, isLast: next.isLast, vectorCount: next.count)
    }
    if http09 != nil {
      guard ngtcp2_conn_get_max_data_left(quic) > 0, let next = nextHTTP09Data(vectors) else {
        return StreamData(id: -1, isLast: false, vectorCount: 0)
      }
      return StreamData(id: next.id.rawValue, isLast: next.isLast, vectorCount: next.count)
    }
    var id: Int64 = -1
    var isLast: Int32 = 0
    guard let http, ngtcp2_conn_get_max_data_left(quic) > 0 else {
      return StreamData(id: -1, isLast: false, vectorCount: 0)
    }
    if holdsEndsBack, let forgotten = forgottenEnd {
      return StreamData(id: forgotten.rawValue, isLast: true, vectorCount: 0)
    }
    let count = nghttp3_conn_writev_stream(http, &id, &isLast, vectors.baseAddress, vectors.count)
    guard count >= 0 else {
      _ = failHTTP(Int32(clamping: count))
      didFail(NGTCP2_ERR_CALLBACK_FAILURE, at: now)
      return nil
    }
    return StreamData(id: id, isLast: isLast != 0, vectorCount: count)
  }

  /// A message's end that was held back until all before it was acknowledged. It is a few bytes and goes before all else:
  /// another response that always has something to send would never let nghttp3 run out.
  private var forgottenEnd: StreamID? {
    endsHeldBack.first { streams[$0]?.sendBuffer.byteCount ?? 0 == 0 }
  }

  /// Handles a negative answer of the write call; true to go on with the same datagram.
  private func resolve(_ code: Int32, on id: Int64, at now: Timestamp) -> Bool {
    switch code {
    case NGTCP2_ERR_WRITE_MORE: return true
    case NGTCP2_ERR_STREAM_DATA_BLOCKED where id >= 0:
      raw?.block(id)
      http09?.block(StreamID(id))
      if let http { nghttp3_conn_block_stream(http, id) }
      return true
    case NGTCP2_ERR_STREAM_SHUT_WR where id >= 0, NGTCP2_ERR_STREAM_NOT_FOUND where id >= 0:
      raw?.forget(id)
      http09?.forget(StreamID(id))
      endsHeldBack.remove(StreamID(id))
      if let stream = streams[StreamID(id)], !stream.isWritingOver {
        stream.isWritingOver = true
        events.append(.stopSendingReceived(stream.id, .requestCancelled))
      }
      if let http { nghttp3_conn_shutdown_stream_write(http, id) }
      return true
    default:
      didFail(code, at: now)
      return false
    }
  }
}
