import CQUIC

// Each callback is a trampoline to one method. They run inside the library's calls: they record and answer, and never
// write packets. A failure is kept in `pendingFailure` and reported as CALLBACK_FAILURE.

private func result(_ isDone: Bool?) -> Int32 {
  isDone == true ? 0 : NGTCP2_ERR_CALLBACK_FAILURE
}

extension HTTP3Connection {
  static func makeCallbacks() -> ngtcp2_callbacks {
    var callbacks = ngtcp2_callbacks()
    callbacks.recv_crypto_data = { _, level, offset, data, count, userData in
      withConnection(behind: userData) {
        $0.didReceiveCrypto(UnsafeRawBufferPointer(start: data, count: count), at: level, offset: offset)
      } ?? NGTCP2_ERR_CALLBACK_FAILURE
    }
    callbacks.encrypt = ngtcp2_crypto_encrypt_cb
    callbacks.decrypt = CQUIC_guarded_decrypt
    callbacks.hp_mask = ngtcp2_crypto_hp_mask_cb
    callbacks.update_key = ngtcp2_crypto_update_key_cb
    callbacks.delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb
    callbacks.delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb
    callbacks.version_negotiation = ngtcp2_crypto_version_negotiation_cb
    callbacks.handshake_completed = { _, userData in
      result(connection(behind: userData)?.handshakeDidComplete())
    }
    // A server may write at 1-RTT before the handshake ends, a client only after: each makes its streams at the first
    // moment at which it may.
    callbacks.recv_tx_key = { _, level, userData in
      guard let connection = connection(behind: userData), connection.isServer,
        level == NGTCP2_ENCRYPTION_LEVEL_1RTT
      else { return 0 }
      return result(connection.mayOpenStreams())
    }
    callbacks.recv_rx_key = { _, level, userData in
      guard let connection = connection(behind: userData), !connection.isServer,
        level == NGTCP2_ENCRYPTION_LEVEL_1RTT
      else { return 0 }
      return result(connection.mayOpenStreams())
    }
    callbacks.recv_stream_data = { _, flags, id, offset, data, count, userData, _ in
      result(
        withConnection(behind: userData) {
          $0.didReceive(
            UnsafeRawBufferPointer(start: data, count: count), on: StreamID(id), at: offset,
            isLast: flags & UInt32(NGTCP2_STREAM_DATA_FLAG_FIN) != 0,
            isEarly: flags & UInt32(NGTCP2_STREAM_DATA_FLAG_0RTT) != 0)
        })
    }
    callbacks.acked_stream_data_offset = { _, id, _, count, userData, _ in
      result(withConnection(behind: userData) { $0.didAcknowledge(count, on: StreamID(id)) })
    }
    callbacks.stream_close = { _, flags, id, code, userData, _ in
      let hasCode = flags & UInt32(NGTCP2_STREAM_CLOSE_FLAG_APP_ERROR_CODE_SET) != 0
      return result(connection(behind: userData)?.streamDidClose(StreamID(id), code: hasCode ? code : nil))
    }
    callbacks.stream_reset = { _, id, _, code, userData, _ in
      result(connection(behind: userData)?.streamDidReset(StreamID(id), code: ApplicationErrorCode(rawValue: code)))
    }
    // Called when *we* stop reading. That the peer did (STOP_SENDING) the library answers with RESET_STREAM by itself
    // (RFC 9000 § 3.5) and shows only in the stream's closing code.
    callbacks.stream_stop_sending = { _, id, _, userData, _ in
      result(connection(behind: userData)?.didStopReading(StreamID(id)))
    }
    callbacks.extend_max_stream_data = { _, id, _, userData, _ in
      result(connection(behind: userData)?.didUnblock(StreamID(id)))
    }
    callbacks.extend_max_local_streams_bidi = { _, _, userData in
      connection(behind: userData)?.events.append(.requestStreamsAvailable)
      return 0
    }
    // nghttp3 refuses a PRIORITY_UPDATE beyond the limit that it knows, which grows with QUIC's.
    callbacks.extend_max_remote_streams_bidi = { _, maximum, userData in
      if let connection = connection(behind: userData), connection.isServer, let http = connection.http {
        nghttp3_conn_set_max_client_streams_bidi(http, maximum)
      }
      return 0
    }
    callbacks.recv_datagram = { _, _, data, count, userData in
      result(connection(behind: userData)?.didReceiveDatagram(UnsafeRawBufferPointer(start: data, count: count)))
    }
    callbacks.rand = { destination, count, context in
      guard let handle = context?.pointee.native_handle else { return }
      Unmanaged<RandomSource>.fromOpaque(handle).takeUnretainedValue()
        .fill(UnsafeMutableRawBufferPointer(start: destination, count: count))
    }
    callbacks.get_path_challenge_data = { _, destination, userData in
      connection(behind: userData)?.random.fill(
        UnsafeMutableRawBufferPointer(
          start: destination, count: Int(NGTCP2_PATH_CHALLENGE_DATALEN)))
      return 0
    }
    callbacks.path_validation = { _, flags, path, old, outcome, userData in
      guard let path else { return 0 }
      connection(behind: userData)?.didTry(
        NetworkPath(path.pointee), from: old.map { NetworkPath($0.pointee) }, outcome,
        wantsToken: flags & UInt32(NGTCP2_PATH_VALIDATION_FLAG_NEW_TOKEN) != 0)
      return 0
    }
    callbacks.get_new_connection_id = { _, cid, token, count, userData in
      guard let cid, let connection = connection(behind: userData) else { return NGTCP2_ERR_CALLBACK_FAILURE }
      return result(connection.makeConnectionID(cid, token: token, length: count))
    }
    callbacks.remove_connection_id = { _, cid, userData in
      // A client is found by its socket: only an endpoint, which routes by ids, takes the changes out again.
      guard let cid, let connection = connection(behind: userData), connection.isServer else { return 0 }
      connection.connectionIDChanges.append(.removed(ConnectionID(cid.pointee)))
      return 0
    }
    callbacks.recv_stateless_reset = { _, _, userData in
      connection(behind: userData)?.pendingFailure = HTTP3Error(
        .statelessReset, side: .remote, "The server no longer knows this connection (stateless reset).")
      return 0
    }
    return callbacks
  }

  private func makeConnectionID(
    _ cid: UnsafeMutablePointer<ngtcp2_cid>, token: UnsafeMutablePointer<UInt8>?, length: Int
  ) -> Bool {
    cid.pointee = .random(length, from: random)
    switch role {
    case .client:
      random.fill(
        UnsafeMutableRawBufferPointer(start: token, count: Int(NGTCP2_STATELESS_RESET_TOKENLEN)))
    case .server(let secrets):
      guard ngtcp2_crypto_generate_stateless_reset_token(token, secrets.reset, secrets.reset.count, cid) == 0
      else { return false }
      connectionIDChanges.append(.added(ConnectionID(cid.pointee)))
    }
    return true
  }

  // MARK: Streams, from QUIC to HTTP/3

  private func didReceive(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool, isEarly: Bool
  ) -> Bool {
    // nghttp3 does not hand the mark on, and may hand on the fields much later.
    if isEarly, ngtcp2_is_bidi_stream(id.rawValue) != 0 { earlyStreams.insert(id) }
    if let raw {
      raw.take(bytes, on: id)
      if raw.consumes { credit(bytes.count, on: id) }
      return true
    }
    if http09 != nil { return didReceiveHTTP09(bytes, on: id, isLast: isLast) }
    qlog?.streamDataReceived(bytes, on: id)
    let goesOn =
      id.isUnidirectional
      ? readPeerStream(bytes, on: id, at: offset, isLast: isLast) : readStream(bytes, on: id, isLast: isLast)
    if !refused.isEmpty { endRefused() }
    return goesOn
  }

  func readStream(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) -> Bool {
    guard let http else { return false }
    if !id.isUnidirectional, let stream = stream(id), !stream.isReadingOver,
      let error = stream.response?.breach(in: bytes)
    {
      return refuse(error)
    }
    let consumed = nghttp3_conn_read_stream(
      http, id.rawValue, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
      isLast ? 1 : 0)
    guard consumed >= 0 else { return failHTTP(Int32(consumed), on: id) }
    readPriorityUpdates(bytes, on: id)
    // Framing only: body bytes are credited when the application has taken them (nghttp3 never counts them here).
    credit(consumed, on: id)
    return true
  }

  private func didAcknowledge(_ count: UInt64, on id: StreamID) -> Bool {
    if http09 != nil { return bodyDidAcknowledge(count, on: id) }
    guard let http else { return true }
    let code = nghttp3_conn_add_ack_offset(http, id.rawValue, count)
    return code == 0 || failHTTP(code)
  }

  private func didUnblock(_ id: StreamID) -> Bool {
    raw?.unblock(id.rawValue)
    http09?.unblock(id)
    guard let http else { return true }
    let code = nghttp3_conn_unblock_stream(http, id.rawValue)
    return code == 0 || failHTTP(code)
  }

  private func streamDidClose(_ id: StreamID, code: UInt64?) -> Bool {
    if ngtcp2_conn_is_local_stream(quic, id.rawValue) == 0 {
      if ngtcp2_is_bidi_stream(id.rawValue) != 0 {
        ngtcp2_conn_extend_max_streams_bidi(quic, 1)
      } else {
        ngtcp2_conn_extend_max_streams_uni(quic, 1)
      }
    }
    if code == nil { raw?.didComplete(id) }
    streams[id]?.closingCode = code.map { ApplicationErrorCode(rawValue: $0) }
    // Ended by a STOP_SENDING, in the middle of our message.
    if code != nil, let stream = streams[id], !stream.isWritingOver, !stream.isGlitchCounted, !spendGlitch() {
      return false
    }
    // A request's fields may still be decoded.
    if ngtcp2_is_bidi_stream(id.rawValue) == 0 { qlog?.streamClosed(id) }
    clientStreamScanners[id] = nil
    if http09 != nil { messageStreamDidClose(id) }
    forgetPeerStream(id)
    guard let http else { return true }
    // Calls back `messageStreamDidClose`: at once, or later when the stream's fields wait for QPACK's encoder stream,
    // which may arrive after the stream itself is complete.
    let result = nghttp3_conn_close_stream(http, id.rawValue, code ?? ApplicationErrorCode.noError.rawValue)
    if result == NGHTTP3_ERR_STREAM_NOT_FOUND {
      markUsed(id)
      messageStreamDidClose(id)
      return true
    }
    guard result == 0 else { return failHTTP(result) }
    if let stream = streams[id] { keepFromSending(stream) }
    return true
  }

  /// The last that is heard of a request stream.
  func messageStreamDidClose(_ id: StreamID) {
    endsHeldBack.remove(id)
    http09?.forget(id)
    earlyStreams.remove(id)
    qlog?.streamClosed(id)
    guard let stream = streams.removeValue(forKey: id) else { return }
    returnCredit(for: stream)
    if let code = stream.closingCode, !stream.isWritingOver {
      events.append(.stopSendingReceived(id, code))
    }
    events.append(.streamClosed(id))
  }

  private func streamDidReset(_ id: StreamID, code: ApplicationErrorCode) -> Bool {
    guard mayReset(id) else { return false }
    // Once for each request, and not for the answer to our own STOP_SENDING.
    if streams[id]?.isReadingOver != true {
      guard spendGlitch() else { return false }
      streams[id]?.isGlitchCounted = true
    }
    reportReset(id, code: code, side: .remote)
    return didStopReading(id)
  }

  /// Counts what costs a peer nothing; false when that was too much.
  private func spendGlitch() -> Bool {
    guard !glitches.spend(at: lastTimestamp) else { return true }
    pendingFailure = HTTP3Error(
      .application(.excessiveLoad), "The peer takes its requests back as fast as it sends them.")
    return false
  }

  private func didStopReading(_ id: StreamID) -> Bool {
    guard let http else { return true }
    let code = nghttp3_conn_shutdown_stream_read(http, id.rawValue)
    return code == 0 || code == NGHTTP3_ERR_STREAM_NOT_FOUND || failHTTP(code)
  }

  /// Tells once that the rest of a message will not come.
  func reportReset(_ id: StreamID, code: ApplicationErrorCode, side: HTTP3Error.Side) {
    guard let stream = streams[id], !stream.isReadingOver else { return }
    stream.isReadingOver = true
    let error =
      code == .requestRejected
      ? HTTP3Error(.requestNotProcessed, side: side, "The server did not process the request; it may be sent again.")
      : HTTP3Error(
        .application(code), side: side,
        side == .remote ? "The peer reset the stream (\(code))." : "The stream broke HTTP/3's rules (\(code)).")
    events.append(.streamReset(id, error))
  }

  /// Gives the peer room for `count` more bytes on the stream and on the connection.
  func credit(_ count: Int, on id: StreamID) {
    guard count > 0 else { return }
    _ = ngtcp2_conn_extend_max_stream_offset(quic, id.rawValue, UInt64(count))
    ngtcp2_conn_extend_max_offset(quic, UInt64(count))
  }

  /// Keeps an HTTP/3 library error for after the call; always false.
  func failHTTP(_ code: Int32, on id: StreamID? = nil) -> Bool {
    // A callback of ours may have said more.
    guard pendingFailure == nil else { return false }
    let wireCode =
      switch code {
      // A name or value beyond the library's limit (64 kB), which it takes for an error of its own; RFC 9204 § 7.4.
      case NGHTTP3_ERR_QPACK_HEADER_TOO_LARGE:
        id?.isUnidirectional == true ? ApplicationErrorCode.qpackEncoderStreamError : .excessiveLoad
      case NGHTTP3_ERR_MALFORMED_HTTP_MESSAGING where isBehindTrailers(id): ApplicationErrorCode.frameUnexpected
      default: ApplicationErrorCode(rawValue: nghttp3_err_infer_quic_app_error_code(code))
      }
    pendingFailure = HTTP3Error(
      .application(wireCode), "The peer broke HTTP/3's rules (\(wireCode)): \(Self.httpMessage(code)).")
    return false
  }

  static func httpMessage(_ code: Int32) -> String {
    nghttp3_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
