import Foundation
import Testing

@testable import interop_runner

@Suite struct RunnerReportTests {
  /// Two clients and two servers in three cases; two peers do not meet each other.
  private static func results() -> Results {
    let ours = Peer.ours(version: "abc1234")
    let evil = Peer(
      name: "evil", version: "<b>\"1\"</b>", stack: "s & t", protocol: .h3, command: ["server", "evil"],
      url: "https://example.com")
    let cases = PublicCases.all.filter { ["H", "S", "G"].contains($0.abbreviation) }
    var cells: [Cell.Place: CellSummary] = [:]
    func put(_ client: Peer, _ server: Peer, _ number: Int, _ outcomes: Outcome...) {
      cells[Cell.Place(client: client.name, server: server.name, testCase: cases[number].name)] = CellSummary(
        outcomes, of: cases[number])
    }
    put(ours, ours, 0, Outcome(verdict: .succeeded, seconds: 0.123))
    put(ours, evil, 0, Outcome(verdict: .failed, reasons: ["It said: <script>alert('x')</script>\u{1B}[31m"]))
    put(ours, evil, 1, .unsupported("No setting."))
    put(ours, ours, 2, Outcome(verdict: .succeeded, value: 9_100), Outcome(verdict: .succeeded, value: 9_300))
    put(evil, ours, 0, Outcome(verdict: .succeeded))
    return Results(
      start: 1_795_278_934, end: 1_795_278_994, folder: "/results", clients: [ours, evil], servers: [ours, evil],
      cases: cases, cells: cells,
      skipped: [Results.SkippedPeer(name: "nginx", role: .server, reason: "It can't be <had>.")], notRun: 2,
      environment: ["tshark 4"])
  }

  @Test("result.json has the public runner's shape: client by client, server by server, null where nothing was run")
  func json() throws {
    let data = try ResultDocument(Self.results()).json()
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(root.keys) == [
        "start_time", "end_time", "log_dir", "servers", "clients", "urls", "tests", "quic_version", "results",
        "measurements", "peers", "skipped", "not_run", "environment",
      ])
    #expect(root["start_time"] as? Double == 1_795_278_934 && root["quic_version"] as? String == "0x1")
    #expect(root["clients"] as? [String] == ["agent-stream", "evil"])
    #expect((root["urls"] as? [String: String])?["evil"] == "https://example.com")
    let tests = try #require(root["tests"] as? [String: [String: String]])
    #expect(Set(tests.keys) == ["H", "S", "G"] && Set(tests["H", default: [:]].keys) == ["name", "desc"])
    let results = try #require(root["results"] as? [[[String: Any]]])
    #expect(results.count == 4 && results.allSatisfy { $0.count == 2 })
    #expect(results[0][0]["abbr"] as? String == "H" && results[0][0]["name"] as? String == "handshake")
    #expect(results.map { $0[0]["result"] as? String } == ["succeeded", "failed", "succeeded", nil])
    #expect(results[3][0]["result"] is NSNull && results[1][1]["reasons"] as? [String] == ["No setting."])
    let measurements = try #require(root["measurements"] as? [[[String: Any]]])
    #expect(measurements.map(\.count) == [1, 0, 0, 0])
    #expect(measurements[0][0]["details"] as? String == "9200 (± 141) kbps")
  }

  @Test("One bad run of several makes the cell bad and is reported")
  func repeated() throws {
    let testCase = PublicCases.all[0]
    let good = Outcome(verdict: .succeeded, seconds: 1)
    let mixed = try #require(CellSummary([good, .failed("Late."), good], of: testCase))
    #expect(mixed.verdict == .failed && mixed.reasons == ["1 of 3 runs failed.", "Run 2: Late."])
    #expect(CellSummary([good, .unsupported("No.")], of: testCase)?.verdict == .unsupported)
    #expect(CellSummary([good, good], of: testCase)?.seconds == 1 && CellSummary([], of: testCase) == nil)
  }

  @Test("A failure is explained only where all that was seen is known of a peer, in that case")
  func explained() throws {
    let testCase = try #require(PublicCases.all.first { $0.abbreviation == "BP" })
    var peer = Peer.example("a")
    peer.fails = [
      KnownFailure(cases: ["BP", "BA"], seen: "no PATH_CHALLENGE", why: "It challenges late."),
      KnownFailure(cases: ["BP"], seen: "idle", why: "It forgets."),
    ]
    func explanation(_ reasons: [[String]], of testCase: InteropCase, _ peers: [Peer]) -> String? {
      CellSummary(reasons.map { Outcome(verdict: .failed, reasons: $0) }, of: testCase, peers)?.explanation
    }
    #expect(explanation([["It has no PATH_CHALLENGE."]], of: testCase, [peer]) == "It challenges late.")
    #expect(explanation([["no PATH_CHALLENGE"], ["idle"]], of: testCase, [peer]) == "It challenges late. It forgets.")
    #expect(explanation([["no PATH_CHALLENGE", "And more."]], of: testCase, [peer]) == nil)
    #expect(explanation([["no PATH_CHALLENGE"], ["And more."]], of: testCase, [peer]) == nil)
    #expect(explanation([["no PATH_CHALLENGE"]], of: testCase, []) == nil)
    #expect(explanation([["no PATH_CHALLENGE"]], of: PublicCases.all[0], [peer]) == nil)
    var results = Self.results()
    #expect(results.counts == "3 succeeded, 1 unsupported, 1 failed, 1 of them not explained")
    for place in results.cells.keys { results.cells[place]?.explanation = "Its <bug>." }
    #expect(results.unexplained == 0 && !results.counts.contains("explained"))
    #expect(MatrixText.reasons(results).contains("Its <bug>.\n"))
    #expect(ResultPage(results: results, files: [:]).html().contains("Its &lt;bug&gt;."))
    #expect(String(decoding: try ResultDocument(results).json(), as: UTF8.self).contains("\"explanation\" : \"Its"))
  }

  @Test("The matrix has the public letters and the reasons in words")
  func matrix() {
    let text = MatrixText.text(Self.results()) + MatrixText.reasons(Self.results())
    #expect(text.contains("agent-stream × agent-stream (abc1234)\n  ✓(H)\n  G: 9200 (± 141) kbps\n"))
    #expect(text.contains("?(S)\n  ✕(H)\n") && !text.contains("evil × evil"))
    #expect(text.contains("? agent-stream × evil S (retry): No setting.\n"))
    #expect(text.contains("skipped: nginx as server: It can't be <had>.\n"))
  }

  @Test("Whatever a peer says stays text in the page, and links stay in the folder")
  func page() {
    let page = ResultPage(
      results: Self.results(),
      files: [
        "evil_agent-stream/handshake": ["client/a b\"><script>.txt", "client.pcapng"] + (0..<40).map { "qlog/\($0)" }
      ]
    ).html()
    #expect(!page.contains("<script") && !page.contains("\u{1B}") && !page.contains("<b>") && !page.contains("<had>"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\u{FFFD}[31m"))
    #expect(page.contains("s &amp; t") && page.contains("&lt;b&gt;&quot;1&quot;&lt;/b&gt;"))
    #expect(page.contains("href=\"evil_agent-stream/handshake/client/a%20b%22%3E%3Cscript%3E.txt\""))
    #expect(page.contains("and 18 more") && page.contains("2 runs were left out"))
    #expect(page.contains("<a class=\"failed\" href=\"#agent-stream_evil_handshake\">H</a>"))
    #expect(page.contains("<tr id=\"agent-stream_evil_handshake\">"))
  }

  @Test(
    "Addresses have no scheme, no host and no characters of HTML",
    arguments: [
      ("a/b-c_d.~e", "a/b-c_d.~e"), ("javascript:x", "javascript%3Ax"), ("//host/x", ".//host/x"),
      ("ü?#", "%C3%BC%3F%23"),
      ("\u{1}", "%01"),
    ])
  func addresses(path: String, address: String) {
    #expect(HTML.address(path) == address)
  }

  @Test("The list names every case and peer")
  func list() {
    let text = PeerList.text(
      cases: PublicCases.all, ours: .ours(version: "1"), clients: [],
      servers: [.example("caddy", lacks: ["retry": "r", "v2": "v"])])
    #expect(PublicCases.all.allSatisfy { text.contains("\($0.name): ") })
    #expect(text.contains("caddy 1.0 (a stack), without retry, v2\n"))
  }
}
