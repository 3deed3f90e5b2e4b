import Foundation
import LinkEmulator
import LinkModel
import Testing

@Suite(
  "Samples of TCP's state", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Machine.mayMakeLinks, Comment(rawValue: Machine.reason)))
struct TCPSamplerTests {
  private static let port: UInt16 = 4_810

  private func makeLink(capture: String?) throws -> EmulatedLink {
    var options = EmulatedLink.Options()
    options.hasIPv6 = false
    options.wantsRealtime = false
    options.captureFolder = capture
    let conditions = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 2))
    return try EmulatedLink(conditions: conditions, seed: LinkSeed(scenario: 7, repetition: 1), options: options)
  }

  /// One byte to the client and back.
  private func roundTrip(_ client: ProbeSocket, _ server: ProbeSocket) -> Bool {
    var byte: UInt8 = 7
    for (from, to) in [(server, client), (client, server)] {
      guard withUnsafeBytes(of: byte, { from.send($0) }) == 1 else { return false }
      guard withUnsafeMutableBytes(of: &byte, { to.receive($0) }) == 1 else { return false }
    }
    return byte == 7
  }

  @Test("a connection is sampled from its beginning to its end, on the link's clock")
  func sampled() throws {
    let folder = try TemporaryFolder()
    let link = try makeLink(capture: folder.root)
    try link.start()
    let (client, server) = try link.connectTCP(port: Self.port)
    // Each takes 4 ms of the link's time.
    for _ in 0..<60 { #expect(roundTrip(client, server)) }
    let log = link.stop()
    #expect(log.captureError == nil)
    let tcp = try #require(log.tcp)
    let samples = tcp.samples.joined()
    #expect(tcp.isComplete)
    #expect(tcp.processorNanoseconds > 0)
    try #require(samples.count >= 5)
    for sample in samples {
      #expect(sample.localPort == Self.port)
      #expect(sample.remotePort != Self.port)
      #expect((500...1_460).contains(sample.segmentBytes))
      #expect((1...1_000).contains(sample.window))
      #expect(sample.unacknowledged <= sample.window)
      #expect(sample.time >= log.started && sample.time <= log.stopped)
    }
    for (earlier, later) in zip(samples, samples.dropFirst()) {
      #expect(earlier.time < later.time)
      #expect(earlier.acknowledgedBytes <= later.acknowledgedBytes)
    }
    let last = try #require(samples.last)
    #expect(last.acknowledgedBytes > 0)
    #expect(last.roundTrip >= 4_000)
    let span = last.time - samples[0].time
    #expect(Int64(samples.count) <= span / 5_000_000 + 2)
    let lines = try folder.text("tcp.csv").split(separator: "\n").map(String.init)
    #expect(lines == [TCPSample.csvHeader] + samples.map(\.csvLine))
  }

  @Test("datagrams alone leave an empty table, and without a capture there is none")
  func nothingToSample() throws {
    let folder = try TemporaryFolder()
    let captured = try makeLink(capture: folder.root)
    try captured.start()
    captured.stop()
    #expect(try folder.text("tcp.csv") == TCPSample.csvHeader + "\n")
    let plain = try makeLink(capture: nil)
    try plain.start()
    #expect(plain.stop().tcp == nil)
  }
}
