import CQUIC

/// The QUIC library's calls about streams, lent to what is mapped onto them; the library's connection is another's to free.
struct QUICStreams {
  private var connection: OpaquePointer?

  /// - Parameter connection: nil until the library has made one.
  init(_ connection: OpaquePointer? = nil) { self.connection = connection }

  /// A new stream of ours; nil while the peer allows none (RFC 9000 § 4.6).
  func open(isBidirectional: Bool) -> StreamID? {
    var id: Int64 = -1
    let code =
      isBidirectional
      ? ngtcp2_conn_open_bidi_stream(connection, &id, nil) : ngtcp2_conn_open_uni_stream(connection, &id, nil)
    return code == 0 ? StreamID(id) : nil
  }

  /// Whether the peer's window for the whole connection has room.
  var isWindowOpen: Bool { ngtcp2_conn_get_max_data_left(connection) > 0 }

  /// The number of requests that the peer allows now, beside those that run.
  var requestsLeft: Int { Int(clamping: ngtcp2_conn_get_streams_bidi_left(connection)) }

  /// Lets the peer open another stream in place of one that is over.
  func allowAnother(_ id: StreamID) {
    guard ngtcp2_conn_is_local_stream(connection, id.rawValue) == 0 else { return }
    if id.isUnidirectional {
      ngtcp2_conn_extend_max_streams_uni(connection, 1)
    } else {
      ngtcp2_conn_extend_max_streams_bidi(connection, 1)
    }
  }

  /// Whether the peer's flow control lets the stream send at least one more byte.
  func hasCredit(on id: StreamID) -> Bool {
    isWindowOpen && ngtcp2_conn_get_max_stream_data_left(connection, id.rawValue) > 0
  }

  /// Packets with bytes of the stream that counted as lost.
  func lossCount(of id: StreamID) -> Int { ngtcp2_conn_get_stream_loss_count(connection, id.rawValue) }

  /// Gives the peer room for `count` more bytes on the stream and on the connection.
  func credit(_ count: Int, on id: StreamID) {
    guard count > 0 else { return }
    _ = ngtcp2_conn_extend_max_stream_offset(connection, id.rawValue, UInt64(count))
    ngtcp2_conn_extend_max_offset(connection, UInt64(count))
  }

  /// Gives the peer room on the stream alone.
  func creditStream(_ count: Int, of id: StreamID) {
    if count > 0 { _ = ngtcp2_conn_extend_max_stream_offset(connection, id.rawValue, UInt64(count)) }
  }

  /// Gives the peer room on the connection for bytes of a stream that takes no more.
  func creditConnection(_ count: Int) {
    if count > 0 { ngtcp2_conn_extend_max_offset(connection, UInt64(count)) }
  }

  /// STOP_SENDING.
  func stopReading(_ id: StreamID, code: ApplicationErrorCode) {
    ngtcp2_conn_shutdown_stream_read(connection, 0, id.rawValue, code.rawValue)
  }

  /// RESET_STREAM.
  func reset(_ id: StreamID, code: ApplicationErrorCode) {
    ngtcp2_conn_shutdown_stream_write(connection, 0, id.rawValue, code.rawValue)
  }

  /// Both.
  func abandon(_ id: StreamID, code: ApplicationErrorCode) {
    ngtcp2_conn_shutdown_stream(connection, 0, id.rawValue, code.rawValue)
  }
  /// Appends bytes to the CRYPTO stream of 1-RTT packets, or of Handshake packets as long as there are any.
  func sendCrypto(_ bytes: [UInt8], inHandshake: Bool) {
    let level = inHandshake ? NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE : NGTCP2_ENCRYPTION_LEVEL_1RTT
    ngtcp2_conn_submit_crypto_data(connection, level, bytes, bytes.count)
  }
}
