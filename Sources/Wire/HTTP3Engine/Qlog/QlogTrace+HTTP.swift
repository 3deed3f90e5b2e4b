import CQUIC

extension QlogTrace {
  /// The memory of HTTP/3 on the streams that are open.
  struct HTTPState {
    fileprivate var sent: [StreamID: HTTP3FrameScanner] = [:]
    fileprivate var received: [StreamID: HTTP3FrameScanner] = [:]
    /// Sections that were given to HTTP/3 and have not left yet.
    fileprivate var unsentSections: [StreamID: [[HeaderField]]] = [:]
    /// Lengths of HEADERS frames that came and are not decoded yet.
    fileprivate var undecoded: [StreamID: [UInt64]] = [:]
  }

  /// Fields that are written of one section.
  private static let fieldLimit = 64
  /// Sections of one stream that are remembered until they are decoded; beyond it lengths are not reported.
  private static let undecodedLimit = 64

  /// A packet took the first `count` bytes of what it was offered of a stream.
  func streamDataSent(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, count: Int, on id: StreamID) {
    var left = count
    for vector in vectors where left > 0 {
      let taken = min(left, vector.len)
      streamDataSent(UnsafeRawBufferPointer(start: vector.base, count: taken), on: id)
      left -= taken
    }
  }

  /// HTTP/3 took bytes of a stream into a packet.
  func streamDataSent(_ bytes: UnsafeRawBufferPointer, on id: StreamID) {
    var scanner = http.sent.removeValue(forKey: id) ?? HTTP3FrameScanner(isUnidirectional: id.isUnidirectional)
    scanner.scan(bytes) { found in
      switch found {
      case .streamType(let type): streamType(type, of: id, owner: "local")
      case .frame(0x01, let length, _):
        // Sections leave in the order in which they were given.
        var sections = http.unsentSections.removeValue(forKey: id) ?? []
        let fields = sections.isEmpty ? nil : sections.removeFirst()
        if !sections.isEmpty { http.unsentSections[id] = sections }
        headers("http:frame_created", fields, on: id, length: length)
      case .frame(let type, let length, let contents):
        frame("http:frame_created", type, contents, on: id, length: length, owner: "local")
      case .priorityUpdate, .fieldSection: break
      }
    }
    http.sent[id] = scanner
  }

  /// Bytes of a stream came, in order.
  func streamDataReceived(_ bytes: UnsafeRawBufferPointer, on id: StreamID) {
    var scanner = http.received.removeValue(forKey: id) ?? HTTP3FrameScanner(isUnidirectional: id.isUnidirectional)
    scanner.scan(bytes) { found in
      switch found {
      case .streamType(let type): streamType(type, of: id, owner: "remote")
      // Reported with its fields, once they are decoded.
      case .frame(0x01, let length, _):
        if http.undecoded[id]?.count ?? 0 < Self.undecodedLimit { http.undecoded[id, default: []].append(length) }
      case .frame(let type, let length, let contents):
        frame("http:frame_parsed", type, contents, on: id, length: length, owner: "remote")
      case .priorityUpdate, .fieldSection: break
      }
    }
    http.received[id] = scanner
  }

  /// A section was given to HTTP/3; it is reported when it leaves.
  func willSend(_ fields: [HeaderField], on id: StreamID) {
    http.unsentSections[id, default: []].append(fields)
  }

  func didReceive(_ fields: [HeaderField], on id: StreamID) {
    var lengths = http.undecoded.removeValue(forKey: id) ?? []
    let length = lengths.isEmpty ? nil : lengths.removeFirst()
    if !lengths.isEmpty { http.undecoded[id] = lengths }
    headers("http:frame_parsed", fields, on: id, length: length)
  }

  /// The server refused early data: its streams begin again.
  func earlyDataRefused() {
    http.sent = [:]
    http.unsentSections = [:]
  }

  func streamClosed(_ id: StreamID) {
    http.sent[id] = nil
    http.received[id] = nil
    http.unsentSections[id] = nil
    http.undecoded[id] = nil
  }

  // MARK: Parts

  private func streamType(_ type: UInt64, of id: StreamID, owner: String) {
    record("http:stream_type_set") {
      $0.text("owner", owner)
      $0.number("stream_id", id.rawValue)
      $0.text("new", Self.streamTypeName(type))
    }
  }

  private func headers(_ name: StaticString, _ fields: [HeaderField]?, on id: StreamID, length: UInt64?) {
    record(name) {
      $0.number("stream_id", id.rawValue)
      if let length { Self.write(length: length, into: &$0) }
      $0.object("frame") {
        $0.text("frame_type", "headers")
        $0.array("headers") {
          for field in (fields ?? []).prefix(Self.fieldLimit) {
            $0.object {
              $0.text("name", QlogRedaction.name(of: field))
              $0.text("value", QlogRedaction.value(of: field))
            }
          }
        }
      }
    }
  }

  private func frame(
    _ name: StaticString, _ type: UInt64, _ contents: [UInt64], on id: StreamID, length: UInt64, owner: String
  ) {
    if type == 0x04 { settings(contents, owner: owner) }
    record(name) {
      $0.number("stream_id", id.rawValue)
      Self.write(length: length, into: &$0)
      $0.object("frame") {
        $0.text("frame_type", Self.frameTypeName(type))
        switch type {
        case 0x04:
          $0.array("settings") {
            for (name, value) in Self.pairs(contents) {
              $0.object {
                $0.text("name", Self.settingName(name))
                $0.number("value", value)
              }
            }
          }
        case 0x07: if let id = contents.first { $0.number("id", id) }
        case 0x00, 0x03, 0x05, 0x0d: break
        default: $0.number("raw_frame_type", type)
        }
      }
    }
  }

  private func settings(_ contents: [UInt64], owner: String) {
    record("http:parameters_set") {
      $0.text("owner", owner)
      for (name, value) in Self.pairs(contents) {
        switch name {
        case 0x01: $0.number("max_table_capacity", value)
        case 0x06: $0.number("max_header_list_size", value)
        case 0x07: $0.number("blocked_streams_count", value)
        case 0x08: $0.number("extended_connect", value)
        case 0x33: $0.number("h3_datagram", value)
        default: break
        }
      }
    }
  }

  /// The second name is of an older draft, and the one that qvis reads.
  private static func write(length: UInt64, into writer: inout QlogWriter) {
    writer.number("length", length)
    writer.number("byte_length", length)
  }

  private static func pairs(_ numbers: [UInt64]) -> [(UInt64, UInt64)] {
    stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
  }

  /// RFC 9114 § 7.2, RFC 9218 § 7.2.
  private static func frameTypeName(_ type: UInt64) -> String {
    switch type {
    case 0x00: "data"
    case 0x03: "cancel_push"
    case 0x04: "settings"
    case 0x05: "push_promise"
    case 0x07: "goaway"
    case 0x0d: "max_push_id"
    case 0xf0700, 0xf0701: "priority_update"
    default: isReserved(type) ? "reserved" : "unknown"
    }
  }

  /// RFC 9114 § 6.2, RFC 9204 § 4.2.
  private static func streamTypeName(_ type: UInt64) -> String {
    switch type {
    case 0x00: "control"
    case 0x01: "push"
    case 0x02: "qpack_encode"
    case 0x03: "qpack_decode"
    default: isReserved(type) ? "reserved" : "unknown"
    }
  }

  /// RFC 9114 § 7.2.4.1, RFC 9204 § 5, RFC 9220 § 5, RFC 9297 § 2.1.1.
  private static func settingName(_ name: UInt64) -> String {
    switch name {
    case 0x01: "SETTINGS_QPACK_MAX_TABLE_CAPACITY"
    case 0x06: "SETTINGS_MAX_FIELD_SECTION_SIZE"
    case 0x07: "SETTINGS_QPACK_BLOCKED_STREAMS"
    case 0x08: "SETTINGS_ENABLE_CONNECT_PROTOCOL"
    case 0x33: "SETTINGS_H3_DATAGRAM"
    default: "0x\(String(name, radix: 16))"
    }
  }

  /// Types that mean nothing on purpose (RFC 9114 § 7.2.8).
  private static func isReserved(_ type: UInt64) -> Bool { type >= 0x21 && (type - 0x21) % 0x1f == 0 }
}
