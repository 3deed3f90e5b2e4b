import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// Marks are used where they come through (RFC 9000 § 13.4), and nowhere do they get in the way.
@Suite struct ECNTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var remark: @Sendable (ECNCodepoint) -> ECNCodepoint
    /// The mark of what is sent once the path is known.
    var last: ECNCodepoint
  }

  static let rows = [
    Row(testDescription: "kept", remark: { $0 }, last: .ect0),
    Row(testDescription: "bleached", remark: { _ in .notECT }, last: .notECT),
    Row(testDescription: "made ECT(1)", remark: { $0 == .ect0 ? .ect1 : $0 }, last: .notECT),
    Row(testDescription: "set where there was none", remark: { $0 == .notECT ? .ect0 : .notECT }, last: .notECT),
  ]

  @Test(arguments: rows)
  func marksAreUsedIfTheyComeThrough(_ row: Row) throws {
    let pair = try QUICPair.make()
    pair.link.remark = { _, mark in row.remark(mark) }
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    let body = EchoServer.pattern(1_000_000)
    client.send("POST", "/echo", body: body)
    try pair.run { client.isDone }
    #expect(client.answers[0].body == body)
    #expect(server.connectionErrors.isEmpty)
    // The first packets are marked to find out.
    for direction in [LinkDirection.toServer, .toClient] {
      #expect(pair.link.marks[direction]?[.ect0] ?? 0 > 0)
      #expect(pair.link.lastMark[direction] == row.last, "\(direction)")
    }
  }

  /// A router that would drop packets with any mark costs a few time-outs, not the connection.
  @Test func aPathThatDropsMarkedPacketsIsPassedWithoutMarks() throws {
    let pair = try QUICPair.make()
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    pair.link.remark = { _, mark in mark == .notECT ? mark : nil }
    client.send("GET", "/bytes/100000")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100_000))
    #expect(server.keys.count == 1)
  }

  /// A router's CE marks slow the sender down without any loss.
  @Test func congestionMarksAreHeeded() throws {
    func time(_ remark: @escaping (LinkDirection, ECNCodepoint) -> ECNCodepoint) throws -> Duration {
      let pair = try QUICPair.make()
      pair.link.remark = remark
      let client = RequestClient(on: pair)
      let server = EchoServer(on: pair)
      let start = pair.now
      client.send("GET", "/bytes/2000000")
      try pair.run { client.isDone }
      #expect(server.requests.count == 1)
      return pair.now - start
    }
    var count = 0
    let marked = try time { direction, mark in
      guard direction == .toClient, mark == .ect0 else { return mark }
      count += 1
      return count % 40 == 0 ? .congestionExperienced : mark
    }
    let free = try time { $1 }
    #expect(marked > free * 3 / 2, "\(marked) and \(free)")
  }

  /// For peers that cannot read reports of marks: none is set, and none that arrives is reported.
  @Test func withoutItNothingIsMarkedAndNothingReported() throws {
    let pair = try QUICPair.make(clientLimits: {
      $0.usesECN = false
      $0.qlog = QlogConfiguration()
    })
    let client = RequestClient(on: pair)
    let server = EchoServer(on: pair)
    var trace = ""
    client.send("GET", "/bytes/100000")
    try pair.run {
      if let output = pair.client.takeQlog() { trace += String(decoding: output.bytes, as: UTF8.self) }
      return client.isDone
    }
    #expect(pair.link.marks[.toServer]?.keys.contains(.ect0) == false)
    #expect(pair.link.marks[.toClient]?[.ect0] ?? 0 > 0)
    #expect(trace.contains("\"acked_ranges\""))
    #expect(!trace.contains("\"ect0\""))
    #expect(client.answers[0].body == EchoServer.pattern(100_000))
    #expect(server.connectionErrors.isEmpty)
  }
}
