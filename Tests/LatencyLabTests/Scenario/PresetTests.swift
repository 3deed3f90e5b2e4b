import Foundation
import LinkModel
import Testing

@testable import latency_lab

@Suite struct PresetTests {
  @Test(arguments: Presets.all.map(\.name))
  func aPresetIsValidAndIsItselfAfterAFile(_ name: String) throws {
    let preset = try #require(Presets.named(name))
    try ScenarioFile.check(preset)
    let text = try ScenarioFile.text(of: preset)
    #expect(try ScenarioFile.scenario(from: JSONNode(json: .init(text.utf8))) == preset)
    #expect(preset.source.count > 10)
    #expect(preset.about.hasSuffix("."))
  }

  @Test func namesAreUniqueAndAllOfThePublishedOnesAreThere() {
    let names = Presets.all.map(\.name)
    #expect(Set(names).count == names.count)
    let published = [
      "lan", "interop", "fiber", "loss-1", "loss-2", "loss-5", "burst-1", "burst-3", "timed-3", "by-length", "ack-loss",
      "token-5", "cafe-wifi", "lte-drive", "leo", "geo", "uber-tail", "bufferbloat", "longrtt", "handshake-loss",
      "transfer-loss", "corrupt", "blackhole",
      "rebind-port", "rebind-addr", "droplist", "outage-3", "udp-blocked", "udp-throttled", "mtu-1280", "reorder",
    ]
    #expect(Set(published).subtracting(names).isEmpty)
  }

  @Test(arguments: [
    ("lan", 0.4), ("interop", 30), ("fiber", 20), ("loss-1", 50), ("burst-3", 50), ("cafe-wifi", 40), ("lte-drive", 60),
    ("leo", 50), ("geo", 600), ("uber-tail", 350), ("longrtt", 1_500), ("outage-3", 50), ("lone-50", 50),
    ("lone-150", 150),
  ])
  func delaysAreOneWay(_ name: String, _ roundTripMilliseconds: Double) throws {
    let preset = try #require(Presets.named(name))
    #expect(abs(preset.link.roundTripMilliseconds - roundTripMilliseconds) < 1e-9)
  }

  /// Incidents that are timed from the link's first packet must come while events flow.
  @Test(arguments: ["outage-3", "blackhole", "rebind-port", "rebind-addr", "leo", "leo-fast"])
  func whatHappensOnceHappensWithinTheSchedule(_ name: String) throws {
    let preset = try #require(Presets.named(name))
    let link = preset.link
    let at =
      try link.toClient.outages?.first?.startMilliseconds ?? link.rebinding?.firstMilliseconds
      ?? #require(link.toClient.delaySteps?.everyMilliseconds)
    let duration = link.toClient.outages?.first?.durationMilliseconds ?? 0
    let end = preset.leadMilliseconds + preset.workload.durationSeconds * 1_000
    #expect(at > preset.leadMilliseconds)
    #expect(at + duration + 1_000 < end)
  }

  @Test func theDriveHasAnOutageWhileEventsFlow() throws {
    let preset = try #require(Presets.named("lte-drive"))
    let times = try #require(preset.link.toClient.deliveryOpportunitiesMilliseconds)
    let within = times.filter { Double($0) > preset.leadMilliseconds && Double($0) < 20_000 }
    let longest = zip(within, within.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect((500...1_500).contains(longest), "the longest is \(longest) ms")
  }

  @Test func aScenariosSeedDependsOnItsNameTheSeedAndTheRepetitionAlone() throws {
    let one = try #require(Presets.named("loss-1"))
    let two = try #require(Presets.named("loss-2"))
    #expect(one.linkSeed(seed: 1, repetition: 0) == one.linkSeed(seed: 1, repetition: 0))
    #expect(one.linkSeed(seed: 1, repetition: 0) != two.linkSeed(seed: 1, repetition: 0))
    #expect(one.linkSeed(seed: 1, repetition: 0) != one.linkSeed(seed: 2, repetition: 0))
    #expect(one.linkSeed(seed: 1, repetition: 0) != one.linkSeed(seed: 1, repetition: -1))
    var changed = one
    changed.link = two.link
    #expect(one.linkSeed(seed: 1, repetition: 0) == changed.linkSeed(seed: 1, repetition: 0))
  }
}
