import HTTP3Engine
import TestSupport
import Testing

/// A server that retires its first connection id before the client has written anything behind the handshake.
@Suite struct EarlyRetirementTests {
  /// NEW_CONNECTION_ID in one of the first 1-RTT packets, which the client reads in the same turn as the handshake's end.
  private static func pair(sequence: UInt64, retirePriorTo: UInt64) throws -> (QUICPair, RequestClient) {
    let pair = try QUICPair.make(server: { $0.connection.isRaw = true })
    let client = RequestClient(on: pair)
    try pair.run { pair.server.newestConnection != nil }
    let server = try #require(pair.server.newestConnection.flatMap { pair.server.connection($0) })
    let carrier = try #require(server.openRawStream(isBidirectional: false))
    server.sendFrames(
      Wire.quic(0x18, sequence, retirePriorTo) + [8] + [UInt8](repeating: 7, count: 8)
        + [UInt8](repeating: 9, count: 16), carrier: carrier)
    return (pair, client)
  }

  @Test func theClientLivesOn() throws {
    let (pair, client) = try Self.pair(sequence: 1, retirePriorTo: 1)
    try pair.run { client.handshake != nil }
    try pair.run(for: .seconds(1))
    #expect(client.closed == nil || client.closed?.side == .remote)
  }
}
