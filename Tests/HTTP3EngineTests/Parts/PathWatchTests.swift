import TestSupport
import Testing

@testable import HTTP3Engine

/// The watch of one connection, in virtual time: what it reports is what ``LivenessRuleTests`` has as rules.
@Suite struct PathWatchTests {
  private func open() throws -> (pair: QUICPair, stream: TickingStream) {
    let pair = try QUICPair.make(clientLimits: { $0.idleTimeout = .seconds(60) })
    let stream = TickingStream(on: pair)
    try stream.open()
    return (pair, stream)
  }

  @Test func aSilentPathIsReportedOnceAndIsGoodAgainWithTheNextAnswer() throws {
    let (pair, stream) = try open()
    pair.client.setResponseExpected(true)
    pair.link.cuts = [.toServer, .toClient]
    try pair.run(for: .seconds(4))
    #expect(stream.suspicions == 1)
    #expect(pair.client.watch.isSuspect)
    pair.link.cuts = []
    try pair.run(for: .seconds(10))
    #expect(!pair.client.watch.isSuspect)
    #expect(stream.closed == nil)
  }

  @Test func aDoubtIsReportedOnce() throws {
    let (pair, stream) = try open()
    pair.client.watch.doubt()
    pair.client.watch.doubt()
    #expect(pair.client.watch.isSuspect)
    try pair.run(for: .milliseconds(1))
    #expect(stream.suspicions == 1)
  }

  @Test func aRequestedPingLeavesWithTheNextWrite() throws {
    let (pair, _) = try open()
    try pair.run(for: .seconds(2))
    var written = 0
    pair.onClientDatagram = { _ in
      written += 1
      return true
    }
    try pair.run(for: .milliseconds(100))
    #expect(written == 0)
    pair.client.watch.requestPing(true)
    #expect(pair.client.watch.isPingDue)
    try pair.run(for: .milliseconds(100))
    #expect(written >= 1)
    #expect(!pair.client.watch.isPingDue)
  }
}
