import LinkModel

/// Attributes events to packets, as far as a log of encrypted packets allows.
///
/// The rule: events are taken in the order of their writing; each belongs to the first TCP or UDP packet toward the
/// client that entered the link at or after the writing, at most 5 ms later, and has room for it. A packet has room
/// for as many events as its size allows after the headers, each with its framing; what is too small for one, as an
/// acknowledgement, carries none. An event for which there is no such packet is left out of what is derived from this.
///
/// Known limits: a retransmission or a path-MTU probe that enters in those 5 ms looks like new data; an event that
/// came twice is counted from its second writing.
struct PacketAttribution {
  /// IP, transport and, where it is TCP, one TLS record around the events (RFC 8446 § 5.2: 5 + 1 + 16 bytes; UDP:
  /// a short QUIC header of at least 2 bytes and the 16-byte tag, RFC 9000 § 17.3).
  private static func headerBytes(_ transport: PacketLogEntry.TransportProtocol) -> Int {
    switch transport {
    case .udp: 20 + 8 + 2 + 16
    case .tcp, .other: 20 + 20 + 22
    }
  }

  /// HTTP/2's and HTTP/1.1's frame or chunk header, QUIC's stream frame and HTTP/3's: 6 to 9 bytes at least.
  private static let framingBytes = 6
  static let windowNanoseconds: Int64 = 5_000_000

  /// The events that have a packet, each with it, in the order of writing.
  private(set) var carried: [(event: EventRecord, packet: PacketLogEntry)] = []

  init(events: [EventRecord], packets: [PacketLogEntry], eventBytes: Int) {
    let size = min(max(1, eventBytes), 1 << 30) + Self.framingBytes
    var candidates = packets.compactMap { packet -> (packet: PacketLogEntry, room: Int)? in
      guard packet.direction == .toClient, packet.transport != .other else { return nil }
      let room = (packet.wireBytes - Self.headerBytes(packet.transport)) / size
      return room > 0 ? (packet, room) : nil
    }
    candidates.sort { ($0.packet.entered, $0.packet.number) < ($1.packet.entered, $1.packet.number) }
    let written = events.compactMap { event in event.written.map { (event: event, at: $0) } }
      .sorted { ($0.at, $0.event.stream, $0.event.sequence) < ($1.at, $1.event.stream, $1.event.sequence) }
    var place = 0
    for (event, at) in written {
      while place < candidates.count, candidates[place].room == 0 || candidates[place].packet.entered < at {
        place += 1
      }
      guard place < candidates.count else { break }
      guard candidates[place].packet.entered &- at <= Self.windowNanoseconds else { continue }
      candidates[place].room -= 1
      carried.append((event, candidates[place].packet))
    }
  }
}
