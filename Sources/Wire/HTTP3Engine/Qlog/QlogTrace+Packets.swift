extension QlogTrace {
  /// The memory of packets and datagrams.
  struct PacketState {
    /// The largest numbers so far in each space, sent and opened.
    fileprivate var largestSent = [UInt64?](repeating: nil, count: QUICPacketHeader.Space.allCases.count)
    fileprivate var largestReceived = [UInt64?](repeating: nil, count: QUICPacketHeader.Space.allCases.count)
    fileprivate var sentKeys = KeyGeneration()
    fileprivate var receivedKeys = KeyGeneration()
    /// The connection ids in use after the handshake: the peer's, and ours.
    fileprivate var destination: [UInt8]?
    fileprivate var source: [UInt8]?
    /// The last packet whose header the library has read.
    var lastSeen: (kind: QUICPacketHeader.Kind, number: UInt64)?
    /// Datagrams that were written and received; the packets of one carry its number, from 1 on.
    fileprivate var sentDatagrams: UInt64 = 0
    fileprivate var receivedDatagrams: UInt64 = 0
    /// Exponents of the two sides' acknowledgement delays; 3 until the peer says otherwise (RFC 9000 § 18.2).
    var remoteDelayExponent: UInt64 = 3
  }

  /// Counts a direction's key updates by the phase bit of its packets.
  struct KeyGeneration {
    private var phase = false
    private(set) var count: UInt64 = 0

    fileprivate mutating func isNew(_ newPhase: Bool) -> Bool {
      guard newPhase != phase else { return false }
      phase = newPhase
      count += 1
      return true
    }
  }

  /// The exponent of our own acknowledgements, for which the default is kept.
  private static let localDelayExponent: UInt64 = 3

  /// A packet is about to be sealed.
  func packetSent(_ bytes: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, overhead: Int) {
    guard let header = QUICPacketHeader(bytes) else { return }
    let number = header.number(after: packets.largestSent[header.space.rawValue])
    packets.largestSent[header.space.rawValue] = max(number, packets.largestSent[header.space.rawValue] ?? 0)
    if let phase = header.keyPhase, packets.sentKeys.isNew(phase) {
      keyUpdated(isServer ? "server" : "client", packets.sentKeys.count)
    }
    if header.kind == .oneRTT { use(header.destination, in: \.destination, owner: "remote") }
    let id = packets.sentDatagrams + 1
    record("transport:packet_sent") {
      Self.write(header, number, into: &$0)
      $0.object("raw") { $0.number("length", bytes.count + payload.count + overhead) }
      $0.number("datagram_id", id)
      QlogFrames.write(payload, delayExponent: Self.localDelayExponent, into: &$0)
    }
  }

  /// A packet was opened.
  func packetReceived(_ bytes: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, overhead: Int) {
    guard let header = QUICPacketHeader(bytes) else { return }
    didReceivePacket()
    let number = header.number(after: packets.largestReceived[header.space.rawValue])
    packets.largestReceived[header.space.rawValue] = max(number, packets.largestReceived[header.space.rawValue] ?? 0)
    if let phase = header.keyPhase, packets.receivedKeys.isNew(phase) {
      keyUpdated(isServer ? "client" : "server", packets.receivedKeys.count)
    }
    if header.kind == .oneRTT { use(header.destination, in: \.source, owner: "local") }
    // The exponent is for packets that the handshake protects (RFC 9000 § 18.2).
    let exponent = header.kind == .oneRTT ? packets.remoteDelayExponent : 3
    let id = packets.receivedDatagrams
    record("transport:packet_received") {
      Self.write(header, number, into: &$0)
      $0.object("raw") { $0.number("length", bytes.count + payload.count + overhead) }
      $0.number("datagram_id", id)
      QlogFrames.write(payload, delayExponent: exponent, into: &$0)
    }
  }

  /// A packet could not be opened: its number and key phase may be anybody's invention.
  func packetNotOpened(_ bytes: UnsafeRawBufferPointer, payloadLength: Int, overhead: Int) {
    let kind = QUICPacketHeader(bytes)?.kind
    packetDropped(kind, length: bytes.count + payloadLength + overhead, trigger: "payload_decrypt_error")
  }

  /// A packet with this header was here before.
  func copyDropped(_ bytes: UnsafeRawBufferPointer) {
    guard let header = QUICPacketHeader(bytes) else { return }
    packets.lastSeen = (header.kind, header.number(after: packets.largestReceived[header.space.rawValue]))
    duplicateDropped()
  }

  /// The packet that was seen last is one that was here before.
  func duplicateDropped() {
    let last = packets.lastSeen
    let id = packets.receivedDatagrams
    record("transport:packet_dropped") {
      if let last {
        $0.object("header") {
          $0.text("packet_type", last.kind.qlogName)
          $0.number("packet_number", last.number)
        }
      }
      $0.number("datagram_id", id)
      $0.text("trigger", "duplicate")
    }
  }

  func packetDropped(_ kind: QUICPacketHeader.Kind?, length: Int?, trigger: String) {
    let id = packets.receivedDatagrams
    record("transport:packet_dropped") {
      if let kind { $0.object("header") { $0.text("packet_type", kind.qlogName) } }
      if let length { $0.object("raw") { $0.number("length", length) } }
      $0.number("datagram_id", id)
      $0.text("trigger", trigger)
    }
  }

  func packetBuffered(_ kind: QUICPacketHeader.Kind, length: Int?) {
    let id = packets.receivedDatagrams
    record("transport:packet_buffered") {
      $0.object("header") { $0.text("packet_type", kind.qlogName) }
      if let length { $0.object("raw") { $0.number("length", length) } }
      $0.number("datagram_id", id)
      $0.text("trigger", "keys_unavailable")
    }
  }

  func packetLost(_ kind: QUICPacketHeader.Kind, number: UInt64) {
    record("recovery:packet_lost") {
      $0.object("header") {
        $0.text("packet_type", kind.qlogName)
        $0.number("packet_number", number)
      }
    }
  }

  /// A datagram with the packets that were sealed since the last one is complete.
  func datagramSent(_ length: Int) {
    packets.sentDatagrams += 1
    datagrams("transport:datagrams_sent", length, packets.sentDatagrams)
  }

  /// A datagram came; its packets follow.
  func datagramReceived(_ length: Int) {
    packets.receivedDatagrams += 1
    datagrams("transport:datagrams_received", length, packets.receivedDatagrams)
  }

  // MARK: Parts

  /// The length counts the header of UDP (RFC 768), as draft-ietf-quic-qlog-quic-events-02 § 3.3.10 wants it.
  private func datagrams(_ name: StaticString, _ length: Int, _ id: UInt64) {
    record(name) {
      $0.number("count", 1)
      $0.array("raw") {
        $0.object {
          $0.number("length", length + 8)
          $0.number("payload_length", length)
        }
      }
      $0.array("datagram_ids") { $0.number(id) }
    }
  }

  /// Both sides may change the ids of their packets at any time (RFC 9000 § 5.1).
  private func use(_ new: [UInt8], in place: WritableKeyPath<PacketState, [UInt8]?>, owner: String) {
    let old = packets[keyPath: place]
    guard new != old else { return }
    packets[keyPath: place] = new
    record("connectivity:connection_id_updated") {
      $0.text("owner", owner)
      if let old { $0.hex("old", old) }
      $0.hex("new", new)
    }
  }

  private func keyUpdated(_ side: String, _ generation: UInt64) {
    record("security:key_updated") {
      $0.text("key_type", "\(side)_1rtt_secret")
      $0.number("generation", generation)
    }
  }

  private static func write(_ header: QUICPacketHeader, _ number: UInt64, into writer: inout QlogWriter) {
    writer.object("header") {
      $0.text("packet_type", header.kind.qlogName)
      $0.number("packet_number", number)
      $0.number("flags", header.flags)
      if let version = header.version { $0.text("version", String(version, radix: 16)) }
      if let source = header.source {
        $0.number("scil", source.count)
        $0.hex("scid", source)
      }
      $0.number("dcil", header.destination.count)
      $0.hex("dcid", header.destination)
      if let length = header.tokenLength, length > 0 { $0.object("token") { $0.number("length", length) } }
    }
  }
}

extension QUICPacketHeader.Kind {
  var qlogName: String {
    switch self {
    case .initial: "initial"
    case .zeroRTT: "0RTT"
    case .handshake: "handshake"
    case .oneRTT: "1RTT"
    }
  }
}
