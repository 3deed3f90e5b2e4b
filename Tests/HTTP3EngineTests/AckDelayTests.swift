import HTTP3Engine
import LinkModel
import TestSupport
import Testing

@Suite struct AckDelayTests {
  /// The server's probe time-out holds what the client announces (RFC 9002 § 6.2.1), so a lone lost datagram comes the
  /// sooner the less that is. Any announced value is in range, also one that QUIC cannot carry.
  @Test func aLoneLostDatagramComesTheSoonerTheLessTheClientHoldsBack() throws {
    let short = try recovery(.milliseconds(5))
    let long = try recovery(.milliseconds(100))
    #expect(long - short == .milliseconds(95))
    _ = try recovery(.seconds(100))
    _ = try recovery(.seconds(-1))
  }

  /// From the order to send on to the arrival, of a response whose first datagram is lost on a quiet link.
  private func recovery(_ maximumAckDelay: Duration) throws -> Duration {
    let pair = try QUICPair.make(clientLimits: { $0.maximumAckDelay = maximumAckDelay })
    var place: (ConnectionKey, StreamID)?
    var arrival: Timestamp?
    pair.onServer = { key, event in
      guard case .headersReceived(let id, _) = event else { return }
      try? pair.server.connection(key)?.sendResponse([HeaderField(":status", "200")], on: id, endStream: false)
      place = (key, id)
    }
    pair.onClient = { event in
      if case .handshakeCompleted = event {
        _ = try? pair.client.sendRequest(
          [
            HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
            HeaderField(":path", "/"),
          ], endStream: true)
      }
      if case .bodyReceived = event { arrival = pair.now }
    }
    try pair.run(until: { place != nil })
    try pair.run(for: .seconds(3))
    pair.link.cuts = [.toClient]
    let start = pair.now
    if let (key, id) = place { try pair.server.connection(key)?.sendBody([1], on: id, endStream: false) }
    try pair.run(for: .milliseconds(1))
    pair.link.cuts = []
    try pair.run(until: { arrival != nil })
    return try #require(arrival) - start
  }
}
