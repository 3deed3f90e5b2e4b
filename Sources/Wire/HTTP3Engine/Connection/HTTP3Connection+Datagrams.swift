import CQUIC

// HTTP Datagrams (RFC 9297) in QUIC's DATAGRAM frames (RFC 9221): what is lost does not come again.

extension HTTP3Connection {
  /// Sends a datagram that belongs to a request whose stream we may still write to, as soon as the congestion window
  /// allows, before all stream data.
  ///
  /// Throws `datagramsUnavailable` where it was not agreed on (yet), `streamClosed`, `datagramTooLarge`, and
  /// `datagramQueueFull` while others wait.
  package func sendDatagram(_ payload: [UInt8], on id: StreamID) throws(HTTP3Error) {
    guard let limit = datagramLimit(on: id) else {
      throw HTTP3Error(.datagramsUnavailable, "The peer takes no datagrams, or has not said yet that it does.")
    }
    guard !isClosed, let stream = mapping.requests?.stream(id), !stream.isWritingOver else {
      throw HTTP3Error(.streamClosed, "Stream \(id) takes no more.")
    }
    guard payload.count <= limit else {
      throw HTTP3Error(
        .datagramTooLarge, "A datagram of \(payload.count) bytes does not fit a packet; \(limit) is the most now.")
    }
    guard datagrams.hasRoom else {
      throw HTTP3Error(.datagramQueueFull, "Too many datagrams wait to be sent; drop some of them.")
    }
    datagrams.append(HTTPDatagram(stream: id, payload: payload))
  }

  /// The largest payload that can be sent now, in bytes; nil where datagrams were not agreed on (yet). It grows and
  /// shrinks with the path's MTU.
  package func datagramLimit(on id: StreamID) -> Int? {
    guard configuration.usesDatagrams, allowsDatagrams, let frame = largestFramePayload else { return nil }
    return max(0, frame - HTTPDatagram(stream: id, payload: []).frame.count)
  }

  /// Both sides' SETTINGS, or those remembered with a ticket while early data is sent (RFC 9297 § 2.1.1).
  private var allowsDatagrams: Bool {
    (mapping.peerSettings ?? resumption.rememberedSettings)?.allowsDatagrams ?? false
  }

  /// The most that fits a packet and that the peer takes (RFC 9221 § 3): the frame's type, its length and the rest.
  private var largestFramePayload: Int? {
    guard let peer = ngtcp2_conn_get_remote_transport_params(quic)?.pointee.max_datagram_frame_size, peer > 0
    else { return nil }
    // A short header with the longest id and number, and the tag.
    let packet = Int(clamping: ngtcp2_conn_get_path_max_tx_udp_payload_size(quic)) - (1 + 20 + 4 + 16)
    return min(packet, Int(clamping: peer)) - 3
  }

  /// Puts waiting datagrams into the packet that is being written. Answers its size when it is complete, 0 when there
  /// is room for other things, and the library's error.
  func writeDatagrams(
    into destination: UnsafeMutableRawBufferPointer, path: UnsafeMutablePointer<ngtcp2_path>,
    info: UnsafeMutablePointer<ngtcp2_pkt_info>?, at now: Timestamp
  ) -> ngtcp2_ssize {
    guard configuration.usesDatagrams else { return 0 }
    while let datagram = datagrams.waiting.first {
      let frame = datagram.frame
      guard let stream = mapping.requests?.stream(datagram.stream), let limit = largestFramePayload,
        frame.count <= limit
      else {
        // The stream ended, or the path has become narrower: it is lost like any other that was too late.
        datagrams.removeFirst()
        continue
      }
      // Before its request it would name a stream that the server does not know.
      guard isServer || stream.hasLeft else { return 0 }
      var isTaken: Int32 = 0
      let count = observing {
        CQUIC_conn_write_datagram(
          quic, path, info, destination.baseAddress?.assumingMemoryBound(to: UInt8.self), destination.count, &isTaken,
          UInt32(NGTCP2_WRITE_DATAGRAM_FLAG_MORE), frame, frame.count, now.nanoseconds)
      }
      if isTaken != 0 { datagrams.removeFirst() }
      guard count == ngtcp2_ssize(NGTCP2_ERR_WRITE_MORE) else { return count }
    }
    return 0
  }

  /// The library received a DATAGRAM frame. One for a stream that is not open, or not yet,
  /// is dropped, and so are those that nobody takes (RFC 9297 § 2.1).
  func didReceiveDatagram(_ frame: UnsafeRawBufferPointer) throws(HTTP3Error) {
    guard let datagram = HTTPDatagram(frame: frame) else {
      throw HTTP3Error(
        .application(.datagramError), "The peer sent a datagram that names no stream (H3_DATAGRAM_ERROR).")
    }
    guard let stream = mapping.requests?.stream(datagram.stream), !stream.isReadingOver,
      datagrams.receivedCount < DatagramState.receivedLimit
    else { return }
    datagrams.receivedCount += 1
    events.append(.datagramReceived(datagram.stream, datagram.payload))
  }
}
