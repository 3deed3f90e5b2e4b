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
}
