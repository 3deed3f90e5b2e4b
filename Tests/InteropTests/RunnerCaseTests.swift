import LinkModel
import Testing

@testable import interop_runner

@Suite struct RunnerCaseTests {
  @Test("The cases are the public runner's, in its order, with its names for either side")
  func table() {
    let names = PublicCases.all.map { "\($0.abbreviation) \($0.name) \($0.clientTestCase) \($0.serverTestCase)" }
    #expect(
      names == [
        "H handshake handshake handshake", "DC transfer transfer transfer", "LR longrtt handshake handshake",
        "C20 chacha20 chacha20 chacha20", "M multiplexing transfer transfer", "S retry retry retry",
        "R resumption resumption resumption", "Z zerortt zerortt zerortt", "3 http3 http3 http3",
        "B blackhole transfer transfer", "U keyupdate keyupdate transfer", "E ecn ecn ecn",
        "A amplificationlimit transfer transfer", "L1 handshakeloss multiconnect multiconnect",
        "L2 transferloss transfer transfer", "C1 handshakecorruption multiconnect multiconnect",
        "C2 transfercorruption transfer transfer", "6 ipv6 transfer transfer", "V2 v2 v2 v2",
        "BP rebind-port transfer transfer", "BA rebind-addr transfer transfer",
        "CM connectionmigration transfer connectionmigration", "G goodput transfer transfer",
        "C crosstraffic transfer transfer",
      ])
  }

  @Test("File sizes, hosts and time limits are the public runner's")
  func filesAndLimits() throws {
    func sizes(_ name: String) throws -> [Int] {
      try #require(PublicCases.all.first { $0.abbreviation == name }).files.map(\.bytes)
    }
    #expect(try sizes("H") == [1_024] && sizes("DC") == [2_097_152, 3_145_728, 5_242_880])
    #expect(try sizes("M") == Array(repeating: 32, count: 1_999))
    #expect(try sizes("R") == [5_120, 10_240] && sizes("3") == [5_120, 10_240, 512_000])
    #expect(try sizes("L1") == Array(repeating: 1_024, count: 50) && sizes("C1") == sizes("L1"))
    #expect(try sizes("Z") == Array(repeating: 32, count: 40) && sizes("C") == [26_214_400])
    for testCase in PublicCases.all {
      let hosts = ["ipv6": "server6", "connectionmigration": "server46"]
      #expect(testCase.host == hosts[testCase.name, default: "server4"])
      let limits = ["handshakeloss": 300, "handshakecorruption": 300, "crosstraffic": 180]
      #expect(testCase.timeLimitSeconds == limits[testCase.name, default: 60])
      #expect(testCase.certificateChainLength == (testCase.name == "amplificationlimit" ? 9 : 1))
      #expect(testCase.repetitions == (testCase.isMeasurement ? 5 : 1))
      #expect(!testCase.rules.isEmpty)
    }
  }

  @Test("Every network has the public runner's delay, rate and queue, and its own fault")
  func networks() throws {
    for testCase in PublicCases.all {
      let link = testCase.network.conditions
      try link.validate()
      for direction in [link.toClient, link.toServer] {
        #expect(direction.oneWayDelayMilliseconds == (testCase.name == "longrtt" ? 750 : 15))
        #expect(direction.rateBitsPerSecond == 10_000_000 && direction.queuePackets == 25)
        switch testCase.name {
        case "handshakeloss": #expect(direction.loss == .bernoulli(rate: 0.3, longestBurst: 3))
        case "transferloss": #expect(direction.loss == .bernoulli(rate: 0.02, longestBurst: 3))
        case "handshakecorruption", "transfercorruption":
          #expect(direction.corruptionRate == (testCase.name == "handshakecorruption" ? 0.3 : 0.02))
          #expect(direction.corruptionLongestBurst == 3 && direction.loss == nil)
        case "blackhole":
          #expect(direction.outages == [Outage(startMilliseconds: 5_000, durationMilliseconds: 2_000)])
        case _: #expect(direction.loss == nil && direction.outages == nil && direction.corruptionRate == nil)
        }
      }
      let drops = testCase.name == "amplificationlimit" ? [2, 3, 4, 5, 6, 7] : nil
      #expect(link.toServer.droppedUDPPackets == drops && link.toClient.droppedUDPPackets == nil)
      let rebinds = ["rebind-port": false, "rebind-addr": true][testCase.name]
      #expect(
        link.rebinding
          == rebinds.map { Rebinding(firstMilliseconds: 1_000, everyMilliseconds: 5_000, changesAddress: $0) })
    }
  }

  @Test("A measurement may be run another number of times, and a test may not")
  func measured() {
    for testCase in PublicCases.all {
      #expect(testCase.measured(3).repetitions == (testCase.isMeasurement ? 3 : 1))
      #expect(testCase.measured(nil).repetitions == testCase.repetitions)
    }
    #expect(InteropRunner.problem(with: ["--measurements", "3"]) == nil)
    #expect(InteropRunner.problem(with: ["--measurements", "0"])?.contains("1 to 100") == true)
  }

  @Test("Names of files are distinct lower-case letters of the wanted length")
  func names() {
    var generator = LinkGenerator(seed: 1)
    let names = CaseFile.names(
      for: CaseFile.many(3_000, bytes: 1) + CaseFile.many(40, bytes: 1, nameLength: 250), using: &generator)
    #expect(Set(names).count == 3_040)
    #expect(names.allSatisfy { $0.utf8.allSatisfy { (97...122).contains($0) } })
    #expect(names.prefix(3_000).allSatisfy { $0.count == 12 } && names.suffix(40).allSatisfy { $0.count == 250 })
  }

  @Test("Cases are chosen by letter or name, in the table's order, each once")
  func selection() throws {
    func letters(_ text: String?, isSmoke: Bool = false) throws -> String {
      try CaseSelection.cases(text, isSmoke: isSmoke).map(\.abbreviation).joined(separator: " ")
    }
    #expect(try letters("S,handshake H") == "H S")
    #expect(try letters(nil, isSmoke: true) == "H DC S R Z 3 B")
    #expect(try letters(nil).hasSuffix("CM G") && letters("usual") == letters(nil))
    #expect(try letters("all").hasSuffix("CM G C") && letters("usual,C") == letters("all"))
    #expect(try letters("3", isSmoke: true) == "3")
    for wrong in ["X", "", ",", "h"] {
      #expect(throws: SelectionError.self) { try CaseSelection.cases(wrong, isSmoke: false) }
    }
  }

  @Test("Runs go pair by pair, the longest first, and measurements are repeated five times")
  func order() throws {
    let pairs = [
      PeerSelection.Pair(client: .ours(version: "1"), server: .ours(version: "1")),
      PeerSelection.Pair(client: .ours(version: "1"), server: Peer.example("other")),
    ]
    let cases = try CaseSelection.cases("H,L1,G", isSmoke: false)
    let cells = Cell.all(pairs, cases, repeated: 1)
    #expect(
      cells.prefix(7).map { "\($0.testCase.abbreviation)\($0.repetition)" } == [
        "L11", "G1", "G2", "G3", "G4", "G5", "H1",
      ])
    #expect(cells.count == 14 && cells[7].folder == "other_agent-stream/handshakeloss")
    #expect(cells[1].folder == "agent-stream_agent-stream/goodput/1")
    #expect(Set(Cell.all(pairs, cases, repeated: 3)).count == 42)
  }
}

extension Peer {
  static func example(_ name: String, lacks: [String: String] = [:]) -> Peer {
    Peer(name: name, version: "1.0", stack: "a stack", protocol: .h3, command: ["server", name], lacks: lacks)
  }
}
