import LinkModel
import Testing

@testable import latency_lab

@Suite struct ScenarioOverrideTests {
  private func preset(_ name: String) throws -> Scenario {
    try #require(Presets.named(name))
  }

  @Test func everyNumberCanBeReached() throws {
    let scenario = try preset("loss-2").applying(overrides: [
      "link.toClient.loss.bernoulli.rate=0.03", "link.toServer.loss.bernoulli.rate=4%", "link.bothWays.queueBytes=9000",
      "workload.eventBytes=200", "name=mine", "repetitions=3", "arms=[\"h3\"]",
    ])
    #expect(scenario.link.toClient.loss == .bernoulli(rate: 0.03, longestBurst: nil))
    #expect(scenario.link.toServer.loss == .bernoulli(rate: 0.04, longestBurst: nil))
    #expect(scenario.link.toClient.queueBytes == 9_000)
    #expect(scenario.link.toServer.queueBytes == 9_000)
    #expect(scenario.workload.eventBytes == 200)
    #expect(scenario.name == "mine")
    #expect(scenario.repetitions == 3)
    #expect(scenario.arms == ["h3"])
  }

  @Test func withoutOverridesAScenarioStaysWhatItIs() throws {
    for preset in Presets.all {
      #expect(try preset.applying(overrides: []) == preset)
      #expect(try preset.applying(overrides: ["streams=\(preset.workload.streams)"]) == preset)
    }
  }

  @Test func anotherKindTakesTheFirstOnesPlace() throws {
    let scenario = try preset("loss-2").applying(overrides: [
      "link.toClient.loss.gilbert.meanRate=0.02", "link.toClient.loss.gilbert.meanBurstPackets=4",
    ])
    #expect(scenario.link.toClient.loss == .gilbert(meanRate: 0.02, meanBurstPackets: 4))
    #expect(scenario.link.toServer.loss == .bernoulli(rate: 0.02, longestBurst: nil))
  }

  @Test func stagesCanBeTakenAwayAndAdded() throws {
    let scenario = try preset("outage-3").applying(overrides: [
      "link.toClient.outages=null", "link.toServer.outages.0.durationMilliseconds=500",
      "link.toServer.outages.1={\"startMilliseconds\": 9000, \"durationMilliseconds\": 10}",
      "link.rebinding.firstMilliseconds=1000", "link.rebinding.changesAddress=true",
    ])
    #expect(scenario.link.toClient.outages == nil)
    #expect(
      scenario.link.toServer.outages == [
        Outage(startMilliseconds: 5_000, durationMilliseconds: 500),
        Outage(startMilliseconds: 9_000, durationMilliseconds: 10),
      ])
    #expect(scenario.link.rebinding == Rebinding(firstMilliseconds: 1_000, changesAddress: true))
    let shorter = try scenario.applying(overrides: ["link.toServer.outages.0=null"])
    #expect(shorter.link.toServer.outages?.count == 1)
  }

  @Test func shorthandsKeepTheKindOfLoss() throws {
    let bursts = try preset("burst-3").applying(overrides: ["loss=1%"])
    #expect(bursts.link.toClient.loss == .gilbert(meanRate: 0.01, meanBurstPackets: 10))
    let timed = try preset("timed-3").applying(overrides: ["loss=1%"])
    #expect(timed.link.toServer.loss == .byTime(meanRate: 0.01, meanBurstMilliseconds: 25))
    let short = try preset("handshake-loss").applying(overrides: ["loss=0.1"])
    #expect(short.link.toServer.loss == .bernoulli(rate: 0.1, longestBurst: 3))
    let new = try preset("lan").applying(overrides: ["loss=0.5"])
    #expect(new.link.toServer.loss == .bernoulli(rate: 0.5, longestBurst: nil))
    #expect(try preset("loss-5").applying(overrides: ["loss=0"]).link.toClient.loss == nil)
  }

  @Test func shorthandsOfLinkAndWorkload() throws {
    let scenario = try preset("loss-1").applying(overrides: [
      "delay=100ms", "rate=2.5M", "streams=16", "tokensPerSecond=20", "duration=8s",
    ])
    #expect(scenario.link.roundTripMilliseconds == 200)
    #expect(scenario.link.toServer.rateBitsPerSecond == 2.5e6)
    #expect(scenario.workload == .steady(streams: 16, tokensPerSecond: 20, seconds: 8))
    let open = try preset("interop").applying(overrides: ["rate=0"])
    #expect(open.link.toClient.rateBitsPerSecond == nil)
    #expect(open.link.toClient.queuePackets == nil)
    let bursts = try preset("lan").applying(overrides: [
      "workload.cadence.bursts.tokens=8", "workload.cadence.bursts.everyMilliseconds=1000", "tokensPerSecond=50",
    ])
    #expect(bursts.workload.cadence == .bursts(tokens: 8, everyMilliseconds: 160))
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    var preset: String
    var overrides: [String]
    var problem: String
    var testDescription: String { overrides.joined(separator: " ") }
  }

  static let refused = [
    Refused(preset: "lan", overrides: ["loss"], problem: "'loss' is not a change; write path=value"),
    Refused(preset: "lan", overrides: ["=3"], problem: "'=3' is not a change"),
    Refused(preset: "lan", overrides: ["los=3"], problem: "los: Nobody knows 'los'."),
    Refused(
      preset: "lan", overrides: ["loss=3"], problem: "loss.bernoulli.rate: Found 3; allowed is a number, 0 to 1; 3 %"),
    Refused(preset: "lan", overrides: ["loss=x"], problem: "loss: Found 'x'; allowed is a number, which may end in %."),
    Refused(preset: "lan", overrides: ["delay=nan"], problem: "delay: Found 'nan'"),
    Refused(preset: "lan", overrides: ["delay=-1"], problem: "oneWayDelayMilliseconds: Found -1"),
    Refused(preset: "cafe-wifi", overrides: ["loss=0.1"], problem: "loss: The link's loss has no single rate"),
    Refused(preset: "token-5", overrides: ["loss=0.1"], problem: "loss: The link's loss has no single rate"),
    Refused(
      preset: "lan", overrides: ["link.toServer.loss.byToken={\"rate\": 1, \"maximumQUICBytes\": 100}"],
      problem: "toServer.loss: Found byToken; allowed is another kind: tokens go toward the client"),
    Refused(preset: "by-length", overrides: ["loss=0.1"], problem: "loss: The link's loss has no single rate"),
    Refused(
      preset: "by-length", overrides: ["link.toClient.loss.acknowledgements.rate=0.1"],
      problem: "link.toClient.loss.acknowledgements.maximumQUICBytes: This is missing"),
    Refused(
      preset: "lan", overrides: ["link.bothWays.loss.byTime={\"meanRate\": 1, \"meanBurstMilliseconds\": 5}"],
      problem: "byTime.meanRate: Found 1; allowed is a number, 0 to 0.99; 3 % is 0.03"),
    Refused(preset: "lte-drive", overrides: ["rate=1M"], problem: "rate: The link follows a delivery trace"),
    Refused(preset: "lan", overrides: ["streams=1.5"], problem: "workload.streams: Found 1.5"),
    Refused(preset: "lan", overrides: ["streams=many"], problem: "workload.streams: Found 'many'; allowed is a whole"),
    Refused(
      preset: "lan", overrides: ["link.toClient.oneWayDelay=3"],
      problem: "link.toClient.oneWayDelay: Nobody knows 'oneWayDelay'."),
    Refused(
      preset: "lan", overrides: ["link.toClient.oneWayDelayMilliseconds.x=3"],
      problem: "'link.toClient.oneWayDelayMilliseconds' has no parts; it is a number"),
    Refused(
      preset: "lan", overrides: ["link.toClient.oneWayDelayMilliseconds=null"],
      problem: "link.toClient.oneWayDelayMilliseconds: This is missing"),
    Refused(
      preset: "lan", overrides: ["link.toClient.outages.1.startMilliseconds=3"],
      problem: "link.toClient.outages.1: '1' is not an index of a list of 0"),
    Refused(
      preset: "lan", overrides: ["link.toClient.outages.-1.startMilliseconds=3"], problem: "'-1' is not an index of"),
    Refused(
      preset: "lan", overrides: ["link.toClient.outages.0.startMilliseconds=3"],
      problem: "link.toClient.outages.0.durationMilliseconds: This is missing"),
    Refused(preset: "lan", overrides: ["link..x=3"], problem: "link.: Nobody knows ''."),
    Refused(
      preset: "lan", overrides: ["workload.cadence.recorded.offsetsMilliseconds=[0,5]", "tokensPerSecond=5"],
      problem: "tokensPerSecond: A recorded cadence has the rate of its recording"),
  ]

  @Test(arguments: refused) func whatCannotBeIsRefusedWithItsPlace(_ row: Refused) throws {
    let preset = try preset(row.preset)
    let error = #expect(throws: ScenarioError.self) { try preset.applying(overrides: row.overrides) }
    #expect(error?.description.contains(row.problem) == true, "\(error?.description ?? "")")
  }
}
