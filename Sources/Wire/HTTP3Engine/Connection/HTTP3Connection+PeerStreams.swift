import CQUIC

/// What is watched on the unidirectional streams of a peer before the library (nghttp3 1.8) has their bytes.
struct PeerStreamWatch {
  /// Streams whose type is not whole: a variable-length integer of up to 8 bytes.
  var beginnings: [StreamID: [UInt8]] = [:]
  var control: ControlStreamWatch?
  var clientControl: (id: StreamID, stream: ClientControlStream)?
  /// The peer's QPACK encoder stream.
  var encoder: StreamID?
  /// Control and QPACK streams, which last as long as the connection.
  var critical: Set<StreamID> = []
}

/// Finds what the library does not, or takes for something else, on a server's control stream.
struct ControlStreamWatch {
  let id: StreamID
  private var scanner = HTTP3FrameScanner(isUnidirectional: true)
  private var hasSettings = false

  init(_ id: StreamID) { self.id = id }

  /// What is wrong with the next bytes; nil for nothing that is found here.
  mutating func breach(in bytes: UnsafeRawBufferPointer) -> HTTP3Error? {
    var error: HTTP3Error?
    scanner.scan(bytes) { found in
      guard error == nil, case .frame(let type, _, let contents) = found else { return }
      switch type {
      case 0x04: hasSettings = true
      // Of no push that we allowed, as we allow none (RFC 9114 § 7.2.3); the library says H3_FRAME_UNEXPECTED.
      case 0x03 where hasSettings:
        error = HTTP3Error(.application(.idError), "The server cancelled a push that it may not make.")
      // The library would read on behind the id as if another frame began there (RFC 9114 § 7.1).
      case 0x07 where hasSettings && contents.count > 1:
        error = HTTP3Error(.application(.frameError), "The server's GOAWAY holds more than an id.")
      default: break
      }
    }
    return error
  }
}

extension HTTP3Connection {
  /// Hands a peer's bytes to HTTP/3 once the stream's type is whole; false if they break the rules.
  ///
  /// A stream may end before (RFC 9114 § 6.2), which the library takes for an error.
  func readPeerStream(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool
  ) -> Bool {
    guard let begun = peerStreams.beginnings.removeValue(forKey: id) ?? (offset == 0 ? [] : nil) else {
      if peerStreams.control?.id == id, let error = peerStreams.control?.breach(in: bytes) { return refuse(error) }
      if peerStreams.encoder == id { fieldLines?.readEncoderStream(bytes) }
      return readInPieces(bytes, on: id, isLast: isLast)
    }
    let beginning = begun + bytes
    let (type, contents) = beginning.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      return (reader.varint(), reader.count)
    }
    guard let type else {
      if isLast { credit(beginning.count, on: id) } else { peerStreams.beginnings[id] = beginning }
      return true
    }
    if [0x00, 0x02, 0x03].contains(type) { peerStreams.critical.insert(id) }
    if type == 0x02, peerStreams.encoder == nil {
      peerStreams.encoder = id
      beginning.suffix(contents).withUnsafeBytes { fieldLines?.readEncoderStream($0) }
    }
    if !isServer {
      // We send no MAX_PUSH_ID (RFC 9114 § 4.6); the library says H3_STREAM_CREATION_ERROR.
      if type == 0x01 {
        return refuse(HTTP3Error(.application(.idError), "The server began a push that was not allowed."))
      }
      if type == 0x00, peerStreams.control == nil { peerStreams.control = ControlStreamWatch(id) }
    } else if type == 0x00, peerStreams.clientControl == nil {
      peerStreams.clientControl = (id, ClientControlStream())
    }
    return beginning.withUnsafeBytes { buffer in
      if peerStreams.control?.id == id, let error = peerStreams.control?.breach(in: buffer) { return refuse(error) }
      return readInPieces(buffer, on: id, isLast: isLast)
    }
  }

  /// Hands bytes to the library, those of a client's control stream as it can read them. A byte held back at the stream's
  /// end is not missed: such a stream may not end.
  private func readInPieces(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) -> Bool {
    guard peerStreams.clientControl?.id == id, let reading = peerStreams.clientControl?.stream.read(bytes) else {
      return readStream(bytes, on: id, isLast: isLast)
    }
    switch reading {
    case .asReceived: return readStream(bytes, on: id, isLast: isLast)
    case .pieces(let pieces): return pieces.withUnsafeBytes { readStream($0, on: id, isLast: isLast) }
    case .malformed:
      return refuse(
        HTTP3Error(.application(.frameError), "The client's GOAWAY or MAX_PUSH_ID holds more than an id."))
    }
  }

  /// Whether a peer may reset the stream (RFC 9114 § 6.2.1, RFC 9204 § 4.2); of a unidirectional one the library looks at
  /// the end alone.
  func mayReset(_ id: StreamID) -> Bool {
    guard peerStreams.critical.contains(id) else { return true }
    return refuse(
      HTTP3Error(.application(.closedCriticalStream), "The peer reset a stream that HTTP/3 cannot do without."))
  }

  func refuse(_ error: HTTP3Error) -> Bool {
    pendingFailure = pendingFailure ?? error
    return false
  }

  /// The stream is over, perhaps before its type was whole.
  func forgetPeerStream(_ id: StreamID) {
    guard let begun = peerStreams.beginnings.removeValue(forKey: id) else { return }
    ngtcp2_conn_extend_max_offset(quic, UInt64(begun.count))
  }
}
