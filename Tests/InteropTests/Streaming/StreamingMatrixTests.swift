import Testing

@testable import interop_runner

/// The streaming cases as the runner's matrix has them.
struct StreamingMatrixTests {
  private static func peer(streams: Bool = true, lacks: [String: String] = [:]) -> Peer {
    Peer(
      name: "peer", version: "1", stack: "a stack", protocol: .h3, command: ["server", "peer"], streams: streams,
      lacks: lacks)
  }

  private static func test(_ name: String) throws -> InteropCase {
    try #require(StreamingCases.matrix.first { $0.name == name })
  }

  @Test func theyAreCasesBesideThePublicOnes() throws {
    let letters = CaseSelection.known.map(\.abbreviation)
    #expect(Set(letters).count == letters.count)
    #expect(try CaseSelection.cases("streams", isSmoke: false).map(\.name) == StreamingCases.all.map(\.name))
    #expect(try CaseSelection.cases("H,sse-burst,e0", isSmoke: false).map(\.abbreviation) == ["H", "eT", "e0"])
    #expect(try CaseSelection.cases("all,streams", isSmoke: false).count == letters.count)
    for test in StreamingCases.matrix {
      #expect(test.stream?.name == test.name && test.clientTestCase == test.name && test.serverTestCase == test.name)
      #expect(test.files.isEmpty && test.rules.isEmpty && !test.isMeasurement)
    }
  }

  @Test func serversThatCannotStreamTakeNoPart() throws {
    let steady = try Self.test("sse-steady")
    #expect(Self.peer().reasonForLacking(steady, .server) == nil)
    #expect(Self.peer(streams: false).reasonForLacking(steady, .server) == "it cannot stand before an origin of events")
    let peer = Self.peer(streams: false, lacks: ["sse": "it serves files only"])
    #expect(peer.reasonForLacking(steady, .server) == "it serves files only")
    #expect(Self.peer(lacks: ["sse-steady": "it is too slow"]).reasonForLacking(steady, .server) == "it is too slow")
    #expect(Self.peer().reasonForLacking(steady, .client) == "it follows no event streams")
    #expect(Peer.ours(version: "").reasonForLacking(steady, .client) == nil)
    #expect(Peer.ours(version: "").reasonForLacking(steady, .server) == nil)
  }

  @Test func whatAServerLacksAStreamingCaseLacksThatNeedsIt() throws {
    let peer = Self.peer(lacks: ["zerortt": "it takes no early data"])
    #expect(peer.reasonForLacking(try Self.test("sse-0rtt-reconnect"), .server) == "it takes no early data")
    #expect(peer.reasonForLacking(try Self.test("sse-steady"), .server) == nil)
  }

  @Test func aGoAwayIsFoundInTheClientsTrace() {
    let frame = #""data":{"stream_id":3,"frame":{"frame_type":"goaway","id":4}}}"#
    #expect(GoAwayTrace.hasGoAway("{}\n{\"name\":\"http:frame_parsed\",\(frame)\n"))
    #expect(!GoAwayTrace.hasGoAway("{\"name\":\"http:frame_created\",\(frame)\n"))
    #expect(!GoAwayTrace.hasGoAway("{\"name\":\"http:frame_parsed\",\"frame_type\":\"settings\"}\n"))
    #expect(GoAwayTrace.connections(in: "/nowhere") == 0)
  }

  @Test func numbersStandBesideTheVerdict() throws {
    let steady = try Self.test("sse-steady")
    let outcomes = ["p50 0.57", "p50 0.58"].map { Outcome(verdict: .succeeded, seconds: 2, details: $0) }
    let summary = try #require(CellSummary(outcomes, of: steady))
    #expect(summary.verdict == .succeeded && summary.details == "p50 0.57; p50 0.58")
    let (client, server) = (Peer.ours(version: "1"), Self.peer())
    let results = Results(
      start: 0, end: 1, folder: "out", clients: [client], servers: [server], cases: [steady],
      cells: [Cell.Place(client: client.name, server: server.name, testCase: steady.name): summary])
    #expect(MatrixText.details(results) == "agent-stream × peer eE (sse-steady): p50 0.57; p50 0.58\n")
    let json = String(decoding: try ResultDocument(results).json(), as: UTF8.self)
    #expect(json.contains("\"details\" : \"p50 0.57; p50 0.58\""))
    #expect(ResultPage(results: results, files: [:]).html().contains("p50 0.57; p50 0.58"))
  }

  @Test func theTimelineIsInOrder() {
    func entries(_ incidents: [StreamingIncident]) -> [StreamingTimeline.Entry] {
      var test = StreamingCases.all[0]
      test.incidents = incidents
      return StreamingTimeline(test).entries
    }
    let lead = StreamingCase.leadMilliseconds
    let silence = StreamingIncident(atMilliseconds: 1_000, action: .silence(milliseconds: 3_000))
    let kill = StreamingIncident(atMilliseconds: 2_000, action: .killServer)
    #expect(
      entries([silence, kill]) == [
        .init(milliseconds: lead + 1_000, step: .drop(.everything)),
        .init(milliseconds: lead + 2_000, step: .killServer), .init(milliseconds: lead + 4_000, step: .drop(nil)),
      ])
    let steps = [
      (StreamingIncident.Action.loseUDP, StreamingTimeline.Step.drop(.udp)), (.moveClient, .moveClient),
      (.replaceServer, .replaceServer),
    ]
    for (action, step) in steps {
      #expect(entries([.init(atMilliseconds: 5, action: action)]) == [.init(milliseconds: lead + 5, step: step)])
    }
  }

  @Test func listeningPortsAreReadFromTheKernelsTable() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
         1: 0100007F:01BB 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
         2: 00000000000000000000000000000000:01BC 00000000000000000000000000000000:0000 0A 00000000:00000000 00:0
         3: broken
      """
    #expect(OpenPorts.listening(in: table) == [8_000, 444])
    #expect(OpenPorts.listening(in: "").isEmpty)
  }
}
