import CQUIC

/// Lends the delegate for one call, not counted, as many are for each packet; a failure is kept and reported as
/// CALLBACK_FAILURE. A free function, because C callbacks capture nothing, not even a type.
private func settle(
  _ userData: UnsafeMutableRawPointer?, _ work: (LibraryDelegate) throws(HTTP3Error) -> Void
) -> Int32 {
  withDelegate(behind: userData) { $0.settle(work) } ?? NGTCP2_ERR_CALLBACK_FAILURE
}

/// The functions that the QUIC library calls, of clients and servers alike: each is a trampoline to the connection's
/// ``LibraryDelegate``. They run inside the library's calls: they record and answer, and never write packets.
enum QUICCallbacks {
  static func make() -> ngtcp2_callbacks {
    var callbacks = ngtcp2_callbacks()
    // In place of the library's own answer for bytes that are refused, NGTCP2_ERR_PROTO, which it ignores in an Initial
    // packet and continues with a buffer that is half read.
    callbacks.recv_crypto_data = { quic, level, offset, data, count, userData in
      guard let place = HandshakeMessageOrder.Level(level) else { return NGTCP2_ERR_CALLBACK_FAILURE }
      let code = settle(userData) { (delegate) throws(HTTP3Error) in
        try delegate.willTakeCrypto(UnsafeRawBufferPointer(start: data, count: count), at: place, offset: offset)
      }
      return code == 0 ? ngtcp2_crypto_recv_crypto_data_cb(quic, level, offset, data, count, nil) : code
    }
    callbacks.encrypt = ngtcp2_crypto_encrypt_cb
    callbacks.decrypt = CQUIC_guarded_decrypt
    callbacks.hp_mask = ngtcp2_crypto_hp_mask_cb
    callbacks.update_key = ngtcp2_crypto_update_key_cb
    callbacks.delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb
    callbacks.delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb
    callbacks.version_negotiation = ngtcp2_crypto_version_negotiation_cb
    callbacks.handshake_completed = { _, userData in
      settle(userData) { (delegate) throws(HTTP3Error) in try delegate.handshakeDidComplete() }
    }
    callbacks.recv_tx_key = { _, level, userData in
      settle(userData) { (delegate) throws(HTTP3Error) in
        if level == NGTCP2_ENCRYPTION_LEVEL_1RTT { try delegate.didInstallKeys(forWriting: true) }
      }
    }
    callbacks.recv_rx_key = { _, level, userData in
      settle(userData) { (delegate) throws(HTTP3Error) in
        if level == NGTCP2_ENCRYPTION_LEVEL_1RTT { try delegate.didInstallKeys(forWriting: false) }
      }
    }
    callbacks.recv_stream_data = { _, flags, id, offset, data, count, userData, _ in
      settle(userData) { (delegate) throws(HTTP3Error) in
        try delegate.didReceive(
          UnsafeRawBufferPointer(start: data, count: count), on: StreamID(id), at: offset,
          isLast: flags & UInt32(NGTCP2_STREAM_DATA_FLAG_FIN) != 0,
          isEarly: flags & UInt32(NGTCP2_STREAM_DATA_FLAG_0RTT) != 0)
      }
    }
    callbacks.acked_stream_data_offset = { _, id, _, count, userData, _ in
      settle(userData) { (delegate) throws(HTTP3Error) in
        try delegate.didAcknowledge(count, on: StreamID(id))
      }
    }
    callbacks.stream_close = { _, flags, id, code, userData, _ in
      settle(userData) { (delegate) throws(HTTP3Error) in
        let hasCode = flags & UInt32(NGTCP2_STREAM_CLOSE_FLAG_APP_ERROR_CODE_SET) != 0
        try delegate.streamDidClose(StreamID(id), code: hasCode ? ApplicationErrorCode(rawValue: code) : nil)
      }
    }
    callbacks.stream_reset = { _, id, _, code, userData, _ in
      settle(userData) { (delegate) throws(HTTP3Error) in
        try delegate.streamDidReset(StreamID(id), code: ApplicationErrorCode(rawValue: code))
      }
    }
    // Called when *we* stop reading. That the peer did (STOP_SENDING) the library answers with RESET_STREAM by itself
    // (RFC 9000 § 3.5) and shows only in the stream's closing code.
    callbacks.stream_stop_sending = { _, id, _, userData, _ in
      settle(userData) { (delegate) throws(HTTP3Error) in try delegate.didStopReading(StreamID(id)) }
    }
    callbacks.extend_max_stream_data = { _, id, _, userData, _ in
      settle(userData) { (delegate) throws(HTTP3Error) in try delegate.didExtendWindow(of: StreamID(id)) }
    }
    callbacks.extend_max_local_streams_bidi = { _, _, userData in
      delegate(behind: userData)?.requestStreamsAvailable()
      return 0
    }
    callbacks.extend_max_remote_streams_bidi = { _, maximum, userData in
      delegate(behind: userData)?.allowRequests(upTo: maximum)
      return 0
    }
    callbacks.recv_datagram = { _, _, data, count, userData in
      settle(userData) { (delegate) throws(HTTP3Error) in
        try delegate.didReceiveDatagram(UnsafeRawBufferPointer(start: data, count: count))
      }
    }
    callbacks.rand = { destination, count, context in
      guard let handle = context?.pointee.native_handle else { return }
      Unmanaged<RandomSource>.fromOpaque(handle).takeUnretainedValue()
        .fill(UnsafeMutableRawBufferPointer(start: destination, count: count))
    }
    callbacks.get_path_challenge_data = { _, destination, userData in
      delegate(behind: userData)?.fillRandom(
        UnsafeMutableRawBufferPointer(
          start: destination, count: Int(NGTCP2_PATH_CHALLENGE_DATALEN)))
      return 0
    }
    callbacks.path_validation = { _, flags, path, old, result, userData in
      guard let path else { return 0 }
      let verdict: PathVerdict =
        switch result {
        case NGTCP2_PATH_VALIDATION_RESULT_SUCCESS: .valid
        case NGTCP2_PATH_VALIDATION_RESULT_FAILURE: .failed
        case _: .abandoned
        }
      delegate(behind: userData)?.didTry(
        NetworkPath(path.pointee), from: old.map { NetworkPath($0.pointee) }, verdict,
        wantsToken: flags & UInt32(NGTCP2_PATH_VALIDATION_FLAG_NEW_TOKEN) != 0)
      return 0
    }
    callbacks.get_new_connection_id = { _, cid, token, count, userData in
      guard let cid, delegate(behind: userData)?.makeConnectionID(cid, length: count, token: token) == true else {
        return NGTCP2_ERR_CALLBACK_FAILURE
      }
      return 0
    }
    callbacks.remove_connection_id = { _, cid, userData in
      if let cid { delegate(behind: userData)?.didRetire(ConnectionID(cid.pointee)) }
      return 0
    }
    callbacks.recv_stateless_reset = { _, _, userData in
      delegate(behind: userData)?.fail(
        with: HTTP3Error(
          .statelessReset, side: .remote, "The server no longer knows this connection (stateless reset)."))
      return 0
    }
    return callbacks
  }
  /// Adds a client's.
  static func addClient(to callbacks: inout ngtcp2_callbacks) {
    callbacks.client_initial = ngtcp2_crypto_client_initial_cb
    callbacks.recv_retry = ngtcp2_crypto_recv_retry_cb
    callbacks.recv_new_token = { _, token, count, userData in
      delegate(behind: userData)?.didReceiveNewToken(UnsafeBufferPointer(start: token, count: count))
      return 0
    }
    callbacks.select_preferred_addr = { _, destination, _, userData in
      guard let destination, let path = delegate(behind: userData)?.takePreferredPath() else { return 0 }
      path.fill(destination)
      return 0
    }
  }

  /// Adds a server's.
  static func addServer(to callbacks: inout ngtcp2_callbacks) {
    callbacks.recv_client_initial = ngtcp2_crypto_recv_client_initial_cb
    callbacks.stream_open = { _, id, userData in
      delegate(behind: userData)?.streamDidOpen(StreamID(id))
      return 0
    }
  }

  /// Adds those that report datagrams' fates.
  static func addRepeats(to callbacks: inout ngtcp2_callbacks) {
    callbacks.ack_datagram = { _, number, userData in
      withDelegate(behind: userData) { $0.didAcknowledge(datagram: number) }
      return 0
    }
    callbacks.lost_datagram = { _, number, userData in
      withDelegate(behind: userData) { $0.didLose(datagram: number) }
      return 0
    }
  }

  /// Adds the callbacks for a trace.
  static func addTrace(to callbacks: inout ngtcp2_callbacks, _ settings: inout ngtcp2_settings) {
    callbacks.handshake_confirmed = { _, userData in
      delegate(behind: userData)?.handshakeWasConfirmed()
      return 0
    }
    CQUIC_settings_observe_log(&settings) { userData, line, count in
      guard let line, let delegate = delegate(behind: userData) else { return }
      delegate.log(String(decoding: UnsafeRawBufferPointer(start: line, count: count), as: UTF8.self)[...])
    }
  }
}
