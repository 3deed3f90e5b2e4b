/// One line of tshark's fields: the values of each field in the order of their appearance in the datagram.
struct TraceRow {
  private let columns: [[Substring]]

  /// nil for a line that has not as many columns as were asked for.
  init?(_ line: Substring) {
    let texts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard texts.count == TraceField.allCases.count else { return nil }
    columns = texts.map { $0.split(separator: ",") }
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: TraceField.allCases.enumerated().map { ($1, $0) })

  subscript(field: TraceField) -> [Substring] { Self.places[field].map { columns[$0] } ?? [] }

  func integers(_ field: TraceField) -> [Int] { self[field].compactMap(Self.integer) }

  /// Decimal or, with 0x before it, hexadecimal; tshark writes flags as numbers or, in some versions, as words.
  static func integer(_ text: Substring) -> Int? {
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16) }
    switch text {
    case "True": return 1
    case "False": return 0
    case _: return Int(text)
    }
  }

  /// nil where it is no whole UDP datagram with at least one QUIC packet.
  func datagram(isServer: (String) -> Bool) -> TraceDatagram? {
    guard let time = self[.time].first.flatMap({ Double($0) }),
      let source = endpoint(.sourceIPv4, .sourceIPv6, .sourcePort),
      let destination = endpoint(.destinationIPv4, .destinationIPv6, .destinationPort),
      let length = integers(.udpLength).first, length >= 8
    else { return nil }
    let packets = packets()
    guard !packets.isEmpty else { return nil }
    var datagram = TraceDatagram(
      time: time, source: source, destination: destination, sender: isServer(source.address) ? .server : .client,
      bytes: length - 8,
      ecn: (integers(.ecnIPv4) + integers(.ecnIPv6)).first.flatMap(TraceDatagram.ECN.init(rawValue:)),
      packets: packets)
    datagram.cryptoData = zip(integers(.cryptoOffset), integers(.cryptoLength)).map {
      TraceDatagram.CryptoData(offset: $0, length: $1)
    }
    datagram.reportsECN = !self[.ect0Count].isEmpty
    datagram.pathChallenges = self[.pathChallenge].map(String.init)
    datagram.pathResponses = self[.pathResponse].map(String.init)
    datagram.cipherSuites = integers(.cipherSuite).compactMap { UInt16(exactly: $0) }
    datagram.hasCertificate = !self[.certificatesLength].isEmpty
    datagram.initialStreamLimit = integers(.streamLimit).first
    return datagram
  }

  private func endpoint(
    _ version4: TraceField, _ version6: TraceField, _ port: TraceField
  ) -> TraceDatagram.Endpoint? {
    guard let address = self[version4].first ?? self[version6].first,
      let port = integers(port).first.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    return TraceDatagram.Endpoint(address: String(address), port: port)
  }

  // MARK: Packets

  /// The datagram's packets: each header takes from the lists of values what headers of its form have.
  private func packets() -> [TracePacket] {
    var values = PacketValues(self)
    var packets: [TracePacket] = []
    for (index, form) in integers(.headerForm).enumerated() {
      guard var packet = form == 0 ? values.shortHeader() : values.longHeader() else { break }
      packet.bytes = values.packetLengths.indices.contains(index) ? values.packetLengths[index] : 0
      packets.append(packet)
    }
    values.number(&packets)
    return packets
  }
}
