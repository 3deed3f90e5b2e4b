/// Deals the values of one datagram's fields out to its packets.
struct PacketValues {
  let packetLengths: [Int]
  private var types: ArraySlice<Int>
  private var types2: ArraySlice<Int>
  private var versions: ArraySlice<Int>
  private var destinationIDLengths: ArraySlice<Int>
  private var destinationIDs: ArraySlice<Substring>
  private var sourceIDLengths: ArraySlice<Int>
  private var sourceIDs: ArraySlice<Substring>
  private var tokenLengths: ArraySlice<Int>
  private var tokens: ArraySlice<Substring>
  private var retryTokens: ArraySlice<Substring>
  private var lengths: ArraySlice<Int>
  private var keyPhases: ArraySlice<Int>
  private let numbers: [UInt64]
  private let numberLengths: [Int]

  init(_ row: TraceRow) {
    packetLengths = row.integers(.packetLength)
    types = row.integers(.longType)[...]
    types2 = row.integers(.longType2)[...]
    versions = row.integers(.version)[...]
    destinationIDLengths = row.integers(.destinationIDLength)[...]
    destinationIDs = row[.destinationID][...]
    sourceIDLengths = row.integers(.sourceIDLength)[...]
    sourceIDs = row[.sourceID][...]
    tokenLengths = row.integers(.tokenLength)[...]
    tokens = row[.token][...]
    retryTokens = row[.retryToken][...]
    lengths = row.integers(.length)[...]
    keyPhases = row.integers(.keyPhase)[...]
    numbers = row[.number].compactMap { UInt64($0) }
    numberLengths = row.integers(.numberLength)
  }

  /// nil where the values end before the headers do, as in damaged packets.
  mutating func longHeader() -> TracePacket? {
    guard let version = versions.popFirst().flatMap({ UInt32(exactly: $0) }), let kind = kind(of: version) else {
      return nil
    }
    var packet = TracePacket(kind, version: version)
    if destinationIDLengths.popFirst() ?? 0 > 0 {
      packet.destinationID = destinationIDs.popFirst().map(String.init) ?? ""
    }
    if sourceIDLengths.popFirst() ?? 0 > 0 { packet.sourceID = sourceIDs.popFirst().map(String.init) ?? "" }
    switch kind {
    case .initial:
      if tokenLengths.popFirst() ?? 0 > 0 { packet.token = tokens.popFirst().map(String.init) ?? "" }
      packet.payloadBytes = lengths.popFirst()
    case .zeroRTT, .handshake: packet.payloadBytes = lengths.popFirst()
    case .retry: packet.token = retryTokens.popFirst().map(String.init) ?? ""
    case .oneRTT, .versionNegotiation: break
    }
    return packet
  }

  mutating func shortHeader() -> TracePacket? {
    var packet = TracePacket(.oneRTT)
    packet.destinationID = destinationIDs.popFirst().map(String.init) ?? ""
    packet.keyPhase = keyPhases.popFirst().map { $0 != 0 }
    return packet
  }

  private static let kinds: [TracePacket.Kind] = [.initial, .zeroRTT, .handshake, .retry]
  private static let kinds2: [TracePacket.Kind] = [.retry, .initial, .zeroRTT, .handshake]

  private mutating func kind(of version: UInt32) -> TracePacket.Kind? {
    if version == TraceVersion.negotiation { return .versionNegotiation }
    // Version 2 counts its types from another start (RFC 9369 § 3.2).
    if version == TraceVersion.version2, let type = types2.popFirst() {
      return Self.kinds2.indices.contains(type) ? Self.kinds2[type] : nil
    }
    return types.popFirst().flatMap { Self.kinds.indices.contains($0) ? Self.kinds[$0] : nil }
  }

  /// Packet numbers are known of the packets whose headers could be decrypted: of all that have one, or, without keys,
  /// of the Initials alone.
  func number(_ packets: inout [TracePacket]) {
    let numbered = packets.indices.filter { ![.retry, .versionNegotiation].contains(packets[$0].kind) }
    let initials = numbered.filter { packets[$0].kind == .initial }
    let readable = numbers.count == numbered.count ? numbered : numbers.count == initials.count ? initials : []
    for (place, index) in readable.enumerated() {
      packets[index].number = numbers[place]
      let numberBytes = numberLengths.indices.contains(place) ? numberLengths[place] + 1 : 0
      if packets[index].kind == .oneRTT {
        packets[index].payloadBytes = max(
          0, packets[index].bytes - 1 - packets[index].destinationID.utf8.count / 2 - numberBytes)
      } else if let payload = packets[index].payloadBytes {
        packets[index].payloadBytes = max(0, payload - numberBytes)
      }
    }
    // Without keys a short header's number is hidden; a byte is the least that it has.
    for index in packets.indices where packets[index].kind == .oneRTT && packets[index].payloadBytes == nil {
      packets[index].payloadBytes = max(0, packets[index].bytes - 2 - packets[index].destinationID.utf8.count / 2)
    }
  }
}
