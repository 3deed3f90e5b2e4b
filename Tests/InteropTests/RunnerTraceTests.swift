import Testing

@testable import interop_runner

/// tshark's lines are recorded ones (4.0.17, ngtcp2's example programs), long identifiers and tokens cut.
@Suite struct RunnerTraceTests {
  @Test("A coalesced datagram's values are dealt out to its packets")
  func coalesced() throws {
    let datagram = try #require(
      TraceRow.recorded([
        .sourceIPv4: "198.18.1.100", .destinationIPv4: "198.18.0.100", .sourcePort: "443", .destinationPort: "37116",
        .udpLength: "1208", .ecnIPv4: "2", .packetLength: "176,1024", .headerForm: "1,1", .longType2: "1,3",
        .version: "0x6b3343cf,0x6b3343cf", .destinationIDLength: "17,17", .destinationID: "2b66,2b66",
        .sourceIDLength: "18,18", .sourceID: "0083,0083", .tokenLength: "0", .numberLength: "3,3",
        .number: "776506141,776506141", .length: "129,978", .cryptoOffset: "0,0", .cryptoLength: "90,954",
        .ect0Count: "1", .cipherSuite: "0x1301", .streamLimit: "100",
      ]))
    #expect(datagram.sender == .server && datagram.bytes == 1_200 && datagram.ecn == .ect0 && datagram.reportsECN)
    #expect(datagram.packets.map(\.kind) == [.initial, .handshake])
    #expect(datagram.packets.map(\.version) == [TraceVersion.version2, TraceVersion.version2])
    #expect(
      datagram.packets.map(\.sourceID) == ["0083", "0083"]
        && datagram.packets.map(\.number) == [776_506_141, 776_506_141])
    #expect(datagram.packets.map(\.payloadBytes) == [125, 974] && datagram.packets.map(\.bytes) == [176, 1_024])
    #expect(
      datagram.packets[0].token.isEmpty && datagram.initialStreamLimit == 100 && datagram.cipherSuites == [0x1301])
    #expect(datagram.cryptoData == [.init(offset: 0, length: 90), .init(offset: 0, length: 954)])
  }

  @Test("A short header after a long one takes the identifier that is left")
  func shortHeader() throws {
    let datagram = try #require(
      TraceRow.recorded([
        .packetLength: "299,295", .headerForm: "1,0", .longType: "2", .version: "0x00000001",
        .destinationIDLength: "17",
        .destinationID: "2b66,2b66", .sourceIDLength: "18", .sourceID: "0083", .numberLength: "3,3", .number: "7,9",
        .length: "253", .keyPhase: "1",
      ]))
    #expect(datagram.packets.map(\.kind) == [.handshake, .oneRTT] && datagram.packets.map(\.number) == [7, 9])
    #expect(datagram.packets[1].keyPhase == true && datagram.packets[1].destinationID == "2b66")
    #expect(datagram.packets[1].payloadBytes == 295 - 1 - 2 - 4 && datagram.packets[1].version == nil)
  }

  @Test("Identifiers without bytes take none of the others'; tokens belong to Initials and Retries")
  func emptyIdentifiers() throws {
    let initials = try #require(
      TraceRow.recorded([
        .packetLength: "100,50", .headerForm: "1,1", .longType: "0,2", .version: "0x00000001,0x00000001",
        .destinationIDLength: "0,0", .sourceIDLength: "8,8", .sourceID: "aa,bb", .tokenLength: "4", .token: "01020304",
        .number: "3",
      ]))
    #expect(initials.packets.map(\.destinationID) == ["", ""] && initials.packets.map(\.sourceID) == ["aa", "bb"])
    // One number for two packets: without keys only the Initial's is known.
    #expect(initials.packets.map(\.number) == [3, nil] && initials.packets[0].token == "01020304")
    let retry = try #require(
      TraceRow.recorded([
        .packetLength: "148", .headerForm: "1", .longType: "3", .version: "0x00000001", .destinationIDLength: "1",
        .destinationID: "2b", .sourceIDLength: "1", .sourceID: "0c", .retryToken: "b71a",
      ]))
    #expect(retry.packets.map(\.kind) == [.retry] && retry.packets[0].token == "b71a" && retry.packets[0].number == nil)
  }

  @Test(
    "Types are counted from another start in version 2; version 0 is Version Negotiation",
    arguments: [
      ("0x00000001", "0", "", TracePacket.Kind.initial), ("0x00000001", "1", "", .zeroRTT),
      ("0x00000001", "2", "", .handshake), ("0x00000001", "3", "", .retry), ("0x6b3343cf", "", "1", .initial),
      ("0x6b3343cf", "", "2", .zeroRTT), ("0x6b3343cf", "", "3", .handshake), ("0x6b3343cf", "", "0", .retry),
      ("0x00000000", "", "", .versionNegotiation),
    ])
  func types(version: String, type: String, type2: String, kind: TracePacket.Kind) throws {
    let datagram = try #require(
      TraceRow.recorded([
        .packetLength: "60", .headerForm: "1", .longType: type, .longType2: type2, .version: version,
        .destinationIDLength: "0", .sourceIDLength: "0",
      ]))
    #expect(datagram.packets.map(\.kind) == [kind])
  }

  @Test("Lines that are cut, damaged or of something else are left out and break nothing")
  func damaged() {
    let good = TraceRow.line([.packetLength: "60", .headerForm: "0", .destinationID: "aa"])
    let isServer = TraceReader.isServer
    let text = [good, "", "1.5\tx", good + "\textra", TraceRow.line([:]), TraceRow.line([.headerForm: "1"])]
    let trace = TraceText.trace(text.joined(separator: "\n"), isServer: isServer)
    #expect(trace.datagrams.count == 1 && trace.datagrams[0].packets.map(\.kind) == [.oneRTT])
    for field in TraceField.allCases {
      for value in ["", "x", "-1", "99999999999999999999", ",,,", "1,2,3,4,5,6,7"] {
        var values: [TraceField: String] = [.packetLength: "60", .headerForm: "1,0", .version: "0x00000001"]
        values[field] = value
        let line = TraceRow.line(values)
        _ = TraceText.trace(line, isServer: isServer)
      }
    }
    #expect(TraceRow.integer("True") == 1 && TraceRow.integer("0x1303") == 4_867 && TraceRow.integer("no") == nil)
  }

  @Test("The server is known by its network, whatever a NAT makes of the client")
  func senders() {
    for address in ["198.18.1.100", "2001:db8:18:1::100"] { #expect(TraceReader.isServer(address)) }
    for address in ["198.18.0.100", "198.18.0.7", "2001:db8:18::100", "198.18.100.1"] {
      #expect(!TraceReader.isServer(address))
    }
  }

  @Test("tshark's version is read; its fields are asked for in the order of the columns")
  func tshark() {
    #expect(TraceReader.version("TShark (Wireshark) 4.0.17 (Git v4.0.17).\n\nCopyright")! == (4, 0))
    #expect(TraceReader.version("") == nil && TraceReader.version("TShark without") == nil)
    let arguments = TraceReader.arguments("a.pcapng", keys: "k")
    let fields = zip(arguments, arguments.dropFirst()).filter { $0.0 == "-e" }.map(\.1)
    #expect(fields == TraceField.allCases.map(\.rawValue) && arguments.contains("tls.keylog_file:k"))
    #expect(!TraceReader.arguments("a.pcapng", keys: nil).contains { $0.hasPrefix("tls.keylog") })
  }

  @Test("Key logs are merged, each line once, without what is none")
  func keyLogs() {
    let random = String(repeating: "ab", count: 32)
    let secret = "SERVER_HANDSHAKE_TRAFFIC_SECRET \(random) 0011"
    let other = "CLIENT_TRAFFIC_SECRET_0 \(random) 2233"
    let merged = TLSSecrets.merged([
      "# comment\n\(secret)\nnonsense\n", "\(secret)\r\n\(other)\n" + secret.dropLast(20),
    ])
    #expect(merged == "\(secret)\n\(other)\n")
    #expect(TLSSecrets.isUsable(merged) && !TLSSecrets.isUsable(other) && !TLSSecrets.isUsable(""))
    #expect(TLSSecrets.merged(["SECRET \(random) zz", "lower \(random) 00", "A b c d"]).isEmpty)
  }
}

extension TraceRow {
  /// A datagram's fields, with these values in place of the usual ones.
  static func line(_ values: [TraceField: String]) -> String {
    let usual: [TraceField: String] = [
      .time: "1795278934.272371953", .sourceIPv4: "198.18.0.100", .destinationIPv4: "198.18.1.100",
      .sourcePort: "37116", .destinationPort: "443", .udpLength: "1208", .ecnIPv4: "2",
    ]
    return TraceField.allCases.map { values[$0] ?? usual[$0] ?? "" }.joined(separator: "\t")
  }

  static func recorded(_ values: [TraceField: String]) -> TraceDatagram? {
    TraceRow(line(values)[...])?.datagram(isServer: TraceReader.isServer)
  }
}
