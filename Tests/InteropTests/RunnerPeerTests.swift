import Foundation
import Testing

@testable import interop_runner

/// A data file with everything in it.
private let wholeFile =
  #"{"name":"caddy","version":"2.11.7","stack":"quic-go","protocol":"h3","command":["server","caddy"],"streams":true,"#
  + #""lacks":{"retry":"no setting","transfer":"too slow"},"settle":1.5,"notes":"n","url":"https://caddyserver.com","#
  + #""endSignal":"QUIT","fails":[{"cases":["BP","BA"],"seen":"no PATH_CHALLENGE","why":"Its bug."}]}"#

@Suite struct RunnerPeerTests {
  @Test("A data file is read whole, and what may be left out is")
  func whole() throws {
    let peer = try PeerFolder.peer(Data(wholeFile.utf8))
    #expect(peer.name == "caddy" && peer.command == ["server", "caddy"] && peer.streams && !peer.isOurs)
    #expect(peer.settle == 1.5 && peer.endSignal == .quit)
    #expect(peer.fails == [KnownFailure(cases: ["BP", "BA"], seen: "no PATH_CHALLENGE", why: "Its bug.")])
    #expect(peer.url == "https://caddyserver.com" && peer.protocol == .h3)
    let least = #"{"name":"a","version":"1","stack":"s","protocol":"hq","command":["server"]}"#
    let small = try PeerFolder.peer(Data(least.utf8))
    #expect(small.lacks.isEmpty && !small.streams && small.notes == nil && small.protocol == .hq)
  }

  @Test(
    "A broken data file is refused with what is wrong",
    arguments: [
      ("{", "not valid JSON"), ("[]", "wrong type"),
      (wholeFile.replacing(#""name":"caddy","#, with: ""), "\"name\" is missing"),
      (wholeFile.replacing(#""h3""#, with: #""h2""#), "h2"),
      (wholeFile.replacing("\"caddy\",\"version\"", with: "\"../x\",\"version\""), "'../x'"),
      (wholeFile.replacing("\"caddy\",\"version\"", with: "\"\",\"version\""), "1 to 40"),
      (wholeFile.replacing("\"caddy\",\"version\"", with: "\"agent-stream\",\"version\""), "our own endpoint"),
      (wholeFile.replacing(#"["server","caddy"]"#, with: "[]"), "\"command\" is empty"),
      (wholeFile.replacing(#"["server","caddy"]"#, with: #"["/bin/sh"]"#), "'/bin/sh'"),
      (wholeFile.replacing(#"["server","caddy"]"#, with: #"["../sh"]"#), "'../sh'"),
      (wholeFile.replacing(#""no setting""#, with: #""""#), "no reason for 'retry'"),
      (wholeFile.replacing(#"["BP","BA"]"#, with: "[]"), "without cases"),
      (wholeFile.replacing(#""BA""#, with: #""XX""#), "'XX', which is no case"),
      (wholeFile.replacing("Its bug.", with: ""), "says nothing in"),
      (wholeFile.replacing("QUIT", with: "KILL"), "KILL"),
      (wholeFile.replacing("1.5", with: "-1"), "0 to 30 seconds"), (wholeFile.replacing("1.5", with: "1e9"), "0 to 30"),
      (wholeFile.replacing("true", with: "\"yes\""), "\"streams\" is of the wrong type"),
      (wholeFile.replacing(#""n""#, with: "\"" + String(repeating: "n", count: 70_000) + "\""), "65536 are the most"),
    ])
  func broken(text: String, problem: String) {
    do {
      let peer = try PeerFolder.peer(Data(text.utf8))
      Issue.record("\(peer.name) was read")
    } catch {
      #expect(PeerFolder.sentence(error).contains(problem), "\(PeerFolder.sentence(error))")
    }
  }

  @Test("A folder's files are read by name, and the unusable are reported and left out")
  func folder() throws {
    let path = FileManager.default.temporaryDirectory.path + "/peers-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path + "/servers", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (name, text) in [
      ("caddy.json", wholeFile), ("other.json", wholeFile), ("broken.json", "{"), ("README.md", "no peer"),
      ("aa.json", wholeFile.replacing("\"caddy\",\"version\"", with: "\"aa\",\"version\"")),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/servers/\(name)"))
    }
    var warnings: [String] = []
    let peers = PeerFolder(path: path).peers(.server) { warnings.append($0) }
    #expect(peers.map(\.name) == ["aa", "caddy"] && warnings.count == 2)
    #expect(warnings.contains { $0.contains("should be caddy.json") })
    #expect(PeerFolder(path: path).peers(.client) { warnings.append($0) }.isEmpty && warnings.count == 2)
  }

  @Test("The checkout's own files are all of use")
  func checkedIn() {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = PeerFolder(path: root.path + "/Interop/peers")
    for role in Role.allCases {
      let peers = folder.peers(role) { Issue.record("\($0)") }
      #expect(peers.count >= 9, "\(peers.map(\.name))")
    }
  }

  @Test("What a peer lacks is known by the case's name, its letters, or the TESTCASE that the role gets")
  func lacks() throws {
    let cases = try CaseSelection.cases("all", isSmoke: false)
    func lacking(_ peer: Peer, _ role: Role) -> [String] {
      cases.filter { peer.reasonForLacking($0, role) != nil }.map(\.abbreviation)
    }
    #expect(lacking(.example("a", lacks: ["retry": "r", "blackhole": "b", "E": "e"]), .server) == ["S", "B", "E"])
    #expect(lacking(.example("a", lacks: ["multiconnect": "m"]), .client) == ["L1", "C1"])
    // The server of a key update gets "transfer", its client does not.
    let slow = Peer.example("a", lacks: ["transfer": "t"])
    #expect(lacking(slow, .server).contains("U") && !lacking(slow, .client).contains("U"))
    #expect(lacking(slow, .client).contains("CM") && !lacking(slow, .server).contains("CM"))
    #expect(lacking(.example("a"), .client).isEmpty)
  }

  @Test("Ours meets all, others do not meet each other")
  func selection() throws {
    let ours = Peer.ours(version: "1")
    let clients = ["curl", "quic-go"].map { Peer.example($0) }
    let servers = ["aioquic", "caddy", "gtlsserver", "quic-go"].map { Peer.example($0) }
    func pairs(_ names: String? = nil, _ role: Role? = nil, isSmoke: Bool = false) throws -> [String] {
      try PeerSelection.select(
        ours: ours, clients: clients, servers: servers, names: names, role: role, isSmoke: isSmoke
      ).pairs.map { "\($0.client.name)>\($0.server.name)" }
    }
    #expect(
      try pairs() == [
        "agent-stream>agent-stream", "agent-stream>aioquic", "agent-stream>caddy", "agent-stream>gtlsserver",
        "agent-stream>quic-go", "curl>agent-stream", "quic-go>agent-stream",
      ])
    #expect(try pairs(nil, .client).count == 5 && pairs(nil, .server).count == 3)
    #expect(try pairs("caddy") == ["agent-stream>caddy"])
    #expect(try pairs("curl", .server) == ["curl>agent-stream"])
    #expect(try pairs("agent-stream") == ["agent-stream>agent-stream"])
    #expect(try pairs(nil, isSmoke: true) == ["agent-stream>caddy", "agent-stream>aioquic", "agent-stream>gtlsserver"])
    #expect(try pairs("quic-go", isSmoke: true).contains("agent-stream>quic-go"))
    #expect(throws: SelectionError.self) { try pairs("nobody") }
    #expect(throws: SelectionError.self) { try pairs(",") }
    #expect(throws: SelectionError.self) { try pairs("curl", .client) }
  }
}
