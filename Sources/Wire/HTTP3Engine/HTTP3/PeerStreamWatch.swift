/// Looks at the unidirectional streams of a peer before the library (nghttp3 1.8) has their bytes (RFC 9114 § 6.2).
struct PeerStreamWatch {
  /// The destination of the bytes that have come.
  enum Reading {
    /// The bytes go to the library as they are.
    case asReceived
    /// The bytes go to the library in this form.
    case pieces([UInt8])
    /// Nowhere yet: the stream's type is not whole.
    case incomplete
    /// Nowhere: the stream ended within its type, which the library takes for an error (RFC 9114 § 6.2). So many bytes came
    /// in all.
    case dropped(count: Int)
    case breach(HTTP3Error)
  }

  private enum StreamType {
    static let control: UInt64 = 0x00
    static let push: UInt64 = 0x01
    static let encoder: UInt64 = 0x02
    static let decoder: UInt64 = 0x03
  }

  private let isServer: Bool
  /// Streams whose type is not whole: a variable-length integer of up to 8 bytes.
  private var beginnings: [StreamID: [UInt8]] = [:]
  /// A server's control stream, as its client watches it.
  private var control: ControlStreamWatch?
  /// A client's, as its server cuts it.
  private var clientControl: (id: StreamID, stream: ClientControlStream)?
  /// The peer's QPACK encoder stream.
  private var encoder: StreamID?
  /// The control stream's setting for repeats; nil where nobody asks.
  private var repeatSetting: PeerRepeatSetting?
  /// Control and QPACK streams, which last as long as the connection.
  private var critical: Set<StreamID> = []

  /// - Parameter isServer: whether the peer is a client.
  init(isServer: Bool, readsRepeatSetting: Bool = false) {
    self.isServer = isServer
    repeatSetting = readsRepeatSetting ? PeerRepeatSetting() : nil
  }

  /// Whether the peer's SETTINGS allow repeats; nil before they have come.
  var allowsRepeats: Bool? { repeatSetting?.isAllowed }

  /// Takes the next bytes of a stream.
  ///
  /// - Parameter fieldLines: is shown QPACK's instructions.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool, _ fieldLines: FieldLineCheck?
  ) -> Reading {
    guard let begun = beginnings.removeValue(forKey: id) ?? (offset == 0 ? [] : nil) else {
      if encoder == id { fieldLines?.readEncoderStream(bytes) }
      return cut(bytes, of: id) ?? .asReceived
    }
    let beginning = begun + bytes
    let (type, contents) = beginning.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      return (reader.varint(), reader.count)
    }
    guard let type else {
      guard !isLast else { return .dropped(count: beginning.count) }
      beginnings[id] = beginning
      return .incomplete
    }
    switch type {
    case StreamType.control:
      critical.insert(id)
      if isServer {
        if clientControl == nil { clientControl = (id, ClientControlStream()) }
      } else if control == nil {
        control = ControlStreamWatch(id)
      }
    case StreamType.encoder:
      critical.insert(id)
      if encoder == nil {
        encoder = id
        beginning.suffix(contents).withUnsafeBytes { fieldLines?.readEncoderStream($0) }
      }
    case StreamType.decoder: critical.insert(id)
    // We send no MAX_PUSH_ID (RFC 9114 § 4.6); the library says H3_STREAM_CREATION_ERROR.
    case StreamType.push where !isServer:
      return .breach(HTTP3Error(.application(.idError), "The server began a push that was not allowed."))
    default: break
    }
    return beginning.withUnsafeBytes { cut($0, of: id) } ?? .pieces(beginning)
  }

  /// Looks at a control stream's bytes; nil where they may be read as they are. A byte held back at the stream's end is not
  /// missed: such a stream may not end.
  private mutating func cut(_ bytes: UnsafeRawBufferPointer, of id: StreamID) -> Reading? {
    if repeatSetting != nil, id == control?.id ?? clientControl?.id, let error = repeatSetting?.breach(in: bytes) {
      return .breach(error)
    }
    if control?.id == id, let error = control?.breach(in: bytes) { return .breach(error) }
    guard clientControl?.id == id, let reading = clientControl?.stream.read(bytes) else { return nil }
    switch reading {
    case .asReceived: return nil
    case .pieces(let pieces): return .pieces(pieces)
    case .breach(let breach): return .breach(breach.error)
    }
  }

  /// Whether the connection cannot do without the stream (RFC 9114 § 6.2.1, RFC 9204 § 4.2); of a unidirectional one the
  /// library looks at the end alone.
  func isCritical(_ id: StreamID) -> Bool { critical.contains(id) }

  /// The stream is over, perhaps before its type was whole: the bytes of it that nobody read.
  mutating func didClose(_ id: StreamID) -> Int { beginnings.removeValue(forKey: id)?.count ?? 0 }
}

/// Finds what the library does not, or takes for something else, on a server's control stream.
struct ControlStreamWatch {
  let id: StreamID
  private var scanner = HTTP3FrameScanner(isUnidirectional: true)
  private var hasSettings = false

  init(_ id: StreamID) { self.id = id }

  /// The breach of the rules in the next bytes; nil for nothing that is found here.
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
