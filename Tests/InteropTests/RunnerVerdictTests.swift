import Testing

@testable import interop_runner

/// Each rule on a small table of packets that it passes, and on the same table changed so that it does not.
@Suite struct RunnerVerdictTests {
  private func problem(_ rule: Rule, _ client: [TraceDatagram], _ server: [TraceDatagram]? = nil) -> String? {
    rule.problem(
      Evidence(clientTrace: Trace(datagrams: client), serverTrace: Trace(datagrams: server ?? client), hasKeys: true))
  }

  @Test("Handshakes are counted by the server's identifiers in its Initials")
  func handshakes() {
    let one = [
      TraceDatagram.client(.initial), .server(.initial, id: "a"), .server(.initial, id: "a"),
      .server(.handshake, id: "b"),
    ]
    #expect(problem(.handshakes(1), one) == nil)
    #expect(problem(.handshakes(1), one + [.server(.initial, id: "c")])?.contains("1 handshake, saw 2") == true)
    #expect(problem(.handshakes(50), one)?.contains("50 handshakes, saw 1") == true)
    #expect(problem(.handshakes(1), []) != nil)
  }

  @Test("Version 1 alone, and no Retry")
  func versionAndRetry() {
    let good = [TraceDatagram.client(.initial), .server(.initial)]
    #expect(problem(.version1, good) == nil && problem(.noRetry, good) == nil)
    #expect(
      problem(.version1, good + [.server(.initial, version: TraceVersion.version2)])?.contains("0x1, 0x6b3343cf")
        == true
    )
    #expect(problem(.version1, [.client(.initial)])?.contains("no Initial") == true)
    #expect(problem(.noRetry, good + [.server(.retry)]) != nil)
  }

  @Test("Two ClientHellos: the second begins anew; a continued one is the same")
  func clientHellos() {
    let first = TraceDatagram.client(.initial) { $0.cryptoData = [.init(offset: 0, length: 300)] }
    let continued = TraceDatagram.client(.initial) { $0.cryptoData = [.init(offset: 300, length: 300)] }
    #expect(problem(.clientHellos(atLeast: 2), [first, continued, first]) == nil)
    #expect(problem(.clientHellos(atLeast: 2), [first, continued])?.contains("saw 1") == true)
  }

  @Test("Only ChaCha20 is offered")
  func chaCha20() {
    func hello(_ suites: UInt16...) -> TraceDatagram { .client(.initial) { $0.cipherSuites = suites } }
    #expect(problem(.onlyChaCha20Offered, [hello(0x1303), .server(.initial) { $0.cipherSuites = [0x1301] }]) == nil)
    #expect(problem(.onlyChaCha20Offered, [hello(0x1301, 0x1303)])?.contains("0x1301, 0x1303") == true)
    #expect(problem(.onlyChaCha20Offered, [.client(.initial)])?.contains("saw none") == true)
  }

  @Test("The stream limit is seen and at most 1000")
  func streamLimit() {
    func limit(_ limit: Int?) -> [TraceDatagram] { [.server(.handshake) { $0.initialStreamLimit = limit }] }
    #expect(problem(.streamLimit(atMost: 1_000), limit(1_000)) == nil)
    #expect(problem(.streamLimit(atMost: 1_000), limit(1_001))?.contains("1001") == true)
    #expect(problem(.streamLimit(atMost: 1_000), limit(nil))?.contains("not seen") == true)
  }

  @Test("A Retry's token comes back, and packet numbers continue")
  func retry() {
    func initial(_ number: UInt64?, _ token: String = "") -> TraceDatagram {
      .client(.initial) {
        $0.packets[0].token = token
        $0.packets[0].number = number
      }
    }
    let retry = TraceDatagram.server(.retry) { $0.packets[0].token = "b71a" }
    #expect(problem(.retryTokenUsed, [initial(0), retry, initial(1, "b71a")]) == nil)
    #expect(problem(.retryTokenUsed, [initial(0), initial(0, "b71a")])?.contains("No Retry") == true)
    #expect(problem(.retryTokenUsed, [initial(0), retry, initial(0, "b71a")])?.contains("back to 0") == true)
    #expect(problem(.retryTokenUsed, [initial(0), retry, initial(1, "ffff")])?.contains("No Initial") == true)
    #expect(
      problem(.retryTokenUsed, [initial(0), .server(.retry), initial(1)])?.contains("No Retry with a token") == true)
  }

  @Test("The certificate is sent in the first handshake alone")
  func resumption() {
    func handshake(_ id: String, certificate: Bool) -> TraceDatagram {
      .server(.handshake, id: id) { $0.hasCertificate = certificate }
    }
    let rule = Rule.secondHandshakeWithoutCertificate
    let good = [
      handshake("a", certificate: true), handshake("a", certificate: false), handshake("b", certificate: false),
    ]
    #expect(problem(rule, good) == nil)
    #expect(
      problem(rule, [handshake("a", certificate: true), handshake("b", certificate: true)])?.contains("second") == true)
    #expect(
      problem(rule, [handshake("a", certificate: false), handshake("b", certificate: false)])?.contains("first") == true
    )
    #expect(problem(rule, [handshake("a", certificate: true)])?.contains("not seen") == true)
    #expect(problem(rule, [good[0], handshake("c", certificate: false), good[2]])?.contains("neither") == true)
    #expect(problem(rule, [])?.contains("not seen") == true)
  }

  @Test("Version 2 is reached from version 1")
  func version2() {
    let v2 = TraceVersion.version2
    let good: [TraceDatagram] = [
      .client(.initial), .server(.initial, version: v2), .server(.handshake, version: v2),
      .client(.initial, version: v2),
      .client(.handshake, version: v2),
    ]
    #expect(problem(.movesToVersion2, good) == nil)
    #expect(problem(.movesToVersion2, Array(good.dropFirst()))?.contains("client's Initials") == true)
    #expect(problem(.movesToVersion2, good + [.server(.handshake)])?.contains("server's Handshake packets") == true)
    #expect(problem(.movesToVersion2, good + [.client(.handshake)])?.contains("client's Handshake packets") == true)
    let stays = [TraceDatagram.client(.initial), .server(.initial), .server(.handshake), .client(.handshake)]
    #expect(problem(.movesToVersion2, stays)?.contains("server's Initials to be of 0x6b3343cf, saw 0x1") == true)
  }

  @Test("Requests go in 0-RTT packets; up to half of their bytes may follow")
  func zeroRTT() {
    func packets(early: Int, late: Int) -> [TraceDatagram] {
      [
        .client(.zeroRTT) { $0.packets[0].payloadBytes = early },
        .client(.oneRTT) { $0.packets[0].payloadBytes = late },
        .server(.oneRTT) { $0.packets[0].payloadBytes = 100_000 },
      ]
    }
    let rule = Rule.zeroRTTCarriesRequests(of: 10_000)
    #expect(problem(rule, packets(early: 1, late: 5_000)) == nil)
    #expect(problem(rule, packets(early: 9_000, late: 5_001))?.contains("5001 bytes") == true)
    #expect(problem(rule, [.client(.oneRTT)])?.contains("nothing in 0-RTT") == true)
  }

  @Test("Key phase 1 from both")
  func keyUpdate() {
    func phase(_ datagram: TraceDatagram, _ phase: Bool?) -> TraceDatagram {
      var datagram = datagram
      datagram.packets[0].keyPhase = phase
      return datagram
    }
    let client = TraceDatagram.client(.oneRTT)
    let server = TraceDatagram.server(.oneRTT)
    #expect(problem(.bothUpdateKeys, [phase(client, true), phase(server, true)]) == nil)
    #expect(
      problem(.bothUpdateKeys, [phase(client, true), phase(server, false)])?.contains("0 from the server") == true)
    #expect(problem(.bothUpdateKeys, [phase(client, nil), phase(server, true)])?.contains("0 from the client") == true)
  }

  @Test("Marks and reports of ECN from both, none as congested")
  func ecn() {
    func sent(_ datagram: TraceDatagram, _ ecn: TraceDatagram.ECN?, _ reports: Bool) -> TraceDatagram {
      var datagram = datagram
      datagram.ecn = ecn
      datagram.reportsECN = reports
      return datagram
    }
    let client = TraceDatagram.client(.oneRTT)
    let server = TraceDatagram.server(.oneRTT)
    let rule = Rule.bothMarkAndReportECN
    #expect(
      problem(rule, [sent(client, .ect0, true), sent(server, .ect1, true), sent(server, .notCapable, false)]) == nil)
    #expect(
      problem(rule, [sent(client, .notCapable, true), sent(server, .ect0, true)])?.contains(
        "client marked none of its 1") == true)
    #expect(
      problem(rule, [sent(client, .ect0, true), sent(server, .ect0, false)])?.contains("server sent no ACK") == true)
    #expect(
      problem(
        rule, [sent(client, .ect0, true), sent(server, .ect0, true), sent(server, .congestionExperienced, false)])?
        .contains("CE") == true)
  }

  @Test("At most four times what came, until the client's Handshake packet; and the chain is long")
  func amplification() {
    func sized(_ datagram: TraceDatagram, _ bytes: Int, crypto: Int = 0) -> TraceDatagram {
      var datagram = datagram
      datagram.bytes = bytes
      datagram.cryptoData = [.init(offset: 0, length: crypto)]
      return datagram
    }
    let hello = sized(.client(.initial), 1_200)
    let flight = sized(.server(.handshake), 1_200, crypto: 1_100)
    let end = TraceDatagram.client(.handshake)
    #expect(problem(.amplificationLimit, [hello, flight, flight, flight, end]) == nil)
    #expect(problem(.amplificationLimit, [hello, flight, flight, flight, flight, end, flight]) == nil)
    #expect(
      problem(.amplificationLimit, [hello] + Array(repeating: flight, count: 5) + [end])?.contains(
        "6000 bytes after 1200") == true)
    #expect(problem(.amplificationLimit, [hello, flight])?.contains("No Handshake packet") == true)
    #expect(
      problem(.amplificationLimit, [hello, .server(.versionNegotiation), end])?.contains("Version Negotiation") == true)
    #expect(problem(.serverHandshakeBytes(atLeast: 7_500), [sized(.server(.handshake), 1, crypto: 7_500)]) == nil)
    #expect(problem(.serverHandshakeBytes(atLeast: 7_500), [flight])?.contains("1100 bytes") == true)
  }

  @Test("Nothing goes over IPv4")
  func ipv6() {
    func over(_ address: String) -> TraceDatagram { .server(.oneRTT) { $0.source.address = address } }
    #expect(problem(.onlyIPv6, [over("2001:db8:18:1::100")]) == nil)
    #expect(
      problem(.onlyIPv6, [over("2001:db8:18:1::100"), over("198.18.1.100")])?.contains("1 of the server's") == true)
  }

  @Test("Every new path begins with a challenge, which is answered")
  func rebinding() {
    func to(_ port: UInt16, _ challenges: [String] = [], address: String = "198.18.0.100") -> TraceDatagram {
      .server(.oneRTT) {
        $0.destination = .init(address: address, port: port)
        $0.pathChallenges = challenges
      }
    }
    let answer = TraceDatagram.client(.oneRTT) { $0.pathResponses = ["c1"] }
    let good = [to(1), to(2, ["c1"]), to(1), to(2), to(1)]
    #expect(problem(.newPathsAreChallenged, [answer], good) == nil)
    #expect(problem(.newPathsAreChallenged, [answer], [to(1), to(1)])?.contains("single path") == true)
    #expect(
      problem(.newPathsAreChallenged, [answer], [to(1), to(2), to(2, ["c1"])])?.contains("no PATH_CHALLENGE") == true)
    #expect(
      problem(.newPathsAreChallenged, [answer], good + [to(3, ["c2"])])?.contains(
        "did not answer the PATH_CHALLENGE c2") == true)
    #expect(problem(.severalClientAddresses, [], good)?.contains("single address") == true)
    #expect(problem(.severalClientAddresses, [], good + [to(1, address: "198.18.0.7")]) == nil)
  }

  @Test("A migrating client takes another connection ID")
  func migration() {
    func to(_ port: UInt16, _ id: String) -> TraceDatagram {
      .client(.oneRTT) {
        $0.destination.port = port
        $0.packets[0].destinationID = id
      }
    }
    #expect(problem(.newPathHasNewConnectionID, [to(443, "a"), to(4_443, "b"), to(443, "a"), to(4_443, "b")]) == nil)
    #expect(
      problem(.newPathHasNewConnectionID, [to(443, "a"), to(4_443, "a")])?.contains(
        "connection ID of the path before, a") == true)
  }

  @Test("A case needs its keys, tells all that is wrong, and measures the time of the server's packets")
  func outcomes() throws {
    let resumption = try #require(PublicCases.all.first { $0.abbreviation == "R" })
    var evidence = Evidence(clientTrace: Trace(datagrams: []), serverTrace: Trace(datagrams: []), hasKeys: false)
    #expect(resumption.outcome(of: evidence).verdict == .unsupported)
    evidence.hasKeys = true
    evidence.fileProblems = ["2 of 2 files are missing."]
    #expect(resumption.outcome(of: evidence).reasons.count == 4)
    let goodput = try #require(PublicCases.all.first { $0.abbreviation == "G" })
    let start = TraceDatagram.server(.oneRTT) { $0.time = 100 }
    let end = TraceDatagram.server(.oneRTT) { $0.time = 109 }
    let initial = TraceDatagram.server(.initial, id: "a")
    evidence = Evidence(
      clientTrace: Trace(datagrams: [initial, start, end]), serverTrace: Trace(datagrams: [initial]), hasKeys: false)
    let outcome = goodput.outcome(of: evidence)
    let value = try #require(outcome.value)
    #expect(outcome.verdict == .succeeded && abs(value - 9_320.68) < 0.01)
    evidence.clientTrace = Trace(datagrams: [initial, start])
    #expect(goodput.outcome(of: evidence).verdict == .failed)
    #expect(
      Goodput.text([9_100, 9_200, 9_300], unit: "kbps") == "9200 (± 100) kbps"
        && Goodput.text([1], unit: "u") == "1 (± 0) u")
  }
}

extension TraceDatagram {
  static func client(
    _ kind: TracePacket.Kind, version: UInt32 = TraceVersion.version1,
    _ change: (inout TraceDatagram) -> Void = { _ in }
  ) -> TraceDatagram {
    made(.client, kind, version: version, id: "c1", change)
  }

  static func server(
    _ kind: TracePacket.Kind, version: UInt32 = TraceVersion.version1, id: String = "5e",
    _ change: (inout TraceDatagram) -> Void = { _ in }
  ) -> TraceDatagram {
    made(.server, kind, version: version, id: id, change)
  }

  private static func made(
    _ sender: Sender, _ kind: TracePacket.Kind, version: UInt32, id: String, _ change: (inout TraceDatagram) -> Void
  ) -> TraceDatagram {
    let ends = [Endpoint(address: "198.18.0.100", port: 37_116), Endpoint(address: "198.18.1.100", port: 443)]
    var packet = TracePacket(kind, version: kind == .oneRTT ? nil : version)
    packet.sourceID = id
    packet.destinationID = sender == .client ? "5e" : "c1"
    packet.bytes = 1_200
    var datagram = TraceDatagram(
      time: 0, source: sender == .client ? ends[0] : ends[1], destination: sender == .client ? ends[1] : ends[0],
      sender: sender, bytes: 1_200, packets: [packet])
    change(&datagram)
    return datagram
  }
}
