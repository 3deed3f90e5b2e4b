import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// QPACK's dynamic table (RFC 9204 § 3.2) on both encoders' side: what was sent once is named the next time.
@Suite struct FieldCompressionTests {
  /// Characters whose Huffman code is no shorter than they are.
  private static let value = String(repeating: "X!Z&", count: 200)
  private static let field = HeaderField("user-agent", value)

  @Test func aFieldThatComesAgainCostsNextToNothing() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.probesPathMTU = false }, server: { $0.connection.probesPathMTU = false })
    var seen: [[HeaderField]] = []
    pair.onServer = { [unowned pair] key, event in
      guard case .headersReceived(let id, let fields) = event else { return }
      seen.append(fields)
      try? pair.server.connection(key)?.sendResponse(
        [HeaderField(":status", "200"), Self.field], on: id, endStream: true)
    }
    let client = RequestClient(on: pair)
    var bytes: [LinkDirection: Int] = [:]
    pair.onDatagram = { bytes[$1, default: 0] += $0.count }
    try pair.run { client.handshake != nil }
    // Tickets, tokens and SETTINGS have come, so that the exchanges alone are counted.
    try pair.run(for: .seconds(2))
    var costs: [[LinkDirection: Int]] = []
    for _ in 0..<3 {
      bytes = [:]
      client.send("GET", "/", fields: [Self.field])
      try pair.run { client.isDone }
      // Until each side knows that the other has the entry.
      try pair.run(for: .seconds(1))
      costs.append(bytes)
    }
    #expect(client.answers.allSatisfy { $0.status == "200" })
    #expect(seen.count == 3 && seen.allSatisfy { $0.contains(Self.field) })
    for direction in [LinkDirection.toServer, .toClient] {
      #expect(try #require(costs[0][direction]) > 800, "\(costs)")
      #expect(try #require(costs[2][direction]) < 400, "\(costs)")
    }
  }
}
