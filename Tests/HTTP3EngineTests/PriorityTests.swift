import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// The order of responses that compete for a link (RFC 9218).
@Suite struct PriorityTests {
  private static let size = 300_000
  private static let path = "/bytes/\(size)"

  /// 4 Mbit/s towards the client, of which a body of ``size`` takes 0.6 s.
  private static func makePair() throws -> QUICPair {
    var conditions = VirtualLink.plain
    conditions.toClient.rateBitsPerSecond = 4e6
    conditions.toClient.queueBytes = 50_000
    return try QUICPair.make(seed: 5, conditions: conditions)
  }

  private static func priority(_ value: String?) -> [HeaderField] {
    value.map { [HeaderField("priority", $0)] } ?? []
  }

  struct Row: CustomTestStringConvertible {
    var first: String?
    var second: String?
    /// Body bytes of the first and of the second when one of them is whole.
    var areRight: @Sendable (Int, Int) -> Bool
    var testDescription: String { "\(first ?? "none") before \(second ?? "none")" }
  }

  static let rows = [
    Row(first: "u=5", second: "u=1") { $0 < 100_000 && $1 == size },
    Row(first: "u=5, i", second: "u=4, i") { $0 < 100_000 && $1 == size },
    Row(first: "u=3", second: "u=3") { $0 == size && $1 < 100_000 },
    Row(first: "u=3, i", second: "u=3, i") { min($0, $1) > 200_000 },
    Row(first: nil, second: nil) { min($0, $1) > 200_000 },
    Row(first: nil, second: "u=2, i") { $0 < 100_000 && $1 == size },
    Row(first: "u=3", second: "u=9") { $0 == size && $1 < 100_000 },
  ]

  @Test(arguments: rows)
  func theUrgentOneIsSentFirstAndIncrementalOnesTakeTurns(_ row: Row) throws {
    let pair = try Self.makePair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", Self.path, fields: Self.priority(row.first))
    client.send("GET", Self.path, fields: Self.priority(row.second))
    try pair.run { client.answers.contains(where: \.isComplete) }
    let counts = client.answers.map(\.body.count)
    #expect(row.areRight(counts[0], counts[1]), "\(counts)")
    try pair.run { client.isDone }
    #expect(client.answers.allSatisfy { $0.body == EchoServer.pattern(Self.size) })
    #expect(server.requests.count == 2)
  }

  /// Whether or not the request had a priority of its own: the library forgets the client's word where we gave one.
  @Test(arguments: ["u=1", nil])
  func anUpdateInMidFlightReversesTheOrder(_ before: String?) throws {
    let pair = try Self.makePair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", Self.path, fields: Self.priority(before))
    client.send("GET", Self.path, fields: Self.priority("u=4"))
    try pair.run { client.answers[0].body.count > 60_000 }
    #expect(client.answers[1].body.isEmpty)
    pair.client.setPriority(StreamPriority(urgency: 6), of: try #require(client.streams[0]))
    try pair.run { client.answers.contains(where: \.isComplete) }
    #expect(client.answers[1].isComplete)
    #expect(client.answers[0].body.count < 200_000, "\(client.answers[0].body.count)")
    let key = try #require(server.keys.first)
    let stream = try #require(client.streams[0])
    #expect(pair.server.connection(key)?.priority(of: stream) == StreamPriority(urgency: 6))
    try pair.run { client.isDone }
    #expect(client.answers.allSatisfy { $0.body == EchoServer.pattern(Self.size) })
  }

  /// Control streams are written first, so the update is there before the request that it is for.
  @Test func anUpdateMayComeBeforeItsRequest() throws {
    let pair = try Self.makePair()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    try pair.run { client.handshake != nil }
    client.send("GET", Self.path)
    pair.client.setPriority(StreamPriority(urgency: 1), of: try #require(client.streams[0]))
    try pair.run { client.answers[0].status != nil }
    let key = try #require(server.keys.first)
    let stream = try #require(client.streams[0])
    #expect(pair.server.connection(key)?.priority(of: stream) == StreamPriority(urgency: 1))
  }

  @Test func anUpdateOfAStreamThatIsOverIsNothing() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone && pair.client.openStreamCount == 0 }
    pair.client.setPriority(StreamPriority(urgency: 1), of: try #require(client.streams[0]))
    pair.client.setPriority(StreamPriority(urgency: 1), of: StreamID(1 << 40))
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    #expect(client.answers[1].isComplete)
    #expect(server.connectionErrors.isEmpty)
  }

  @Test(arguments: [
    ("", StreamPriority()), ("u=0", StreamPriority(urgency: 0)), ("i", StreamPriority(isIncremental: true)),
    ("u=7, i=?1", StreamPriority(urgency: 7, isIncremental: true)), ("i=?0,u=2", StreamPriority(urgency: 2)),
    ("u=5;x=1, y=(1 2), foo", StreamPriority(urgency: 5)), ("u=1, u=6", StreamPriority(urgency: 6)),
    ("u=8", nil), ("u=-1", nil), ("u=1.5", nil), ("i=1", nil), ("U=1", nil), ("u=", nil), ("u=1,", nil),
    ("\u{0}", nil), ("é", nil),
  ])
  func fieldValuesAreRead(_ value: String, _ priority: StreamPriority?) {
    #expect(StreamPriority(fieldValue: Array(value.utf8)) == priority)
    guard let priority else { return }
    #expect(StreamPriority(fieldValue: Array(priority.fieldValue.utf8)) == priority)
  }

  @Test func urgenciesBeyondTheRangeAreCut() {
    #expect(StreamPriority(urgency: -1).fieldValue == "u=0")
    #expect(StreamPriority(urgency: 8, isIncremental: true).fieldValue == "u=7, i")
  }
}
