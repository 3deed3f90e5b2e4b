import Foundation
import Testing

@testable import LinkModel

@Suite struct LinkConditionsValidationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var field: String
    var allowed: String
    var change: @Sendable (inout DirectionConditions) -> Void

    init(_ field: String, _ allowed: String, _ change: @escaping @Sendable (inout DirectionConditions) -> Void) {
      self.field = field
      self.allowed = allowed
      self.change = change
    }

    var testDescription: String { field }
  }

  static let refused: [Case] = [
    Case("oneWayDelayMilliseconds", "0 to 3600000 ms") { $0.oneWayDelayMilliseconds = -1 },
    Case("oneWayDelayMilliseconds", "0 to 3600000 ms") { $0.oneWayDelayMilliseconds = .nan },
    Case("oneWayDelayMilliseconds", "0 to 3600000 ms") { $0.oneWayDelayMilliseconds = .infinity },
    Case("outages", "0 to 1000 outages") {
      $0.outages = Array(repeating: Outage(startMilliseconds: 0, durationMilliseconds: 1), count: 1001)
    },
    Case("outages[1].startMilliseconds", "0 to 1000000000 ms") {
      $0.outages = [
        Outage(startMilliseconds: 0, durationMilliseconds: 1), Outage(startMilliseconds: -1, durationMilliseconds: 1),
      ]
    },
    Case("outages[0].durationMilliseconds", "0.001 to 1000000000 ms") {
      $0.outages = [Outage(startMilliseconds: 0, durationMilliseconds: 0)]
    },
    Case("outages[0].everyMilliseconds", "5 to 1000000000 ms, at least the duration") {
      $0.outages = [Outage(startMilliseconds: 0, durationMilliseconds: 5, everyMilliseconds: 4)]
    },
    Case("maximumPacketBytes", "68 to 65575 bytes") { $0.maximumPacketBytes = 67 },
    Case("droppedUDPPackets[1]", "counted from 1") { $0.droppedUDPPackets = [1, 0] },
    Case("loss.bernoulli.rate", "0 to 1") { $0.loss = .bernoulli(rate: 1.5, longestBurst: nil) },
    Case("loss.bernoulli.longestBurst", "1 to 1000000 packets") { $0.loss = .bernoulli(rate: 0, longestBurst: 0) },
    Case("loss.gilbert.meanBurstPackets", "1 to 1000000 packets") {
      $0.loss = .gilbert(meanRate: 0.1, meanBurstPackets: 0.5)
    },
    Case("loss.gilbert.meanRate", "0 to 0.75 for bursts of 3.0 packets") {
      $0.loss = .gilbert(meanRate: 0.76, meanBurstPackets: 3)
    },
    Case("loss.weather.goodMeanMilliseconds", "1 to 1000000000 ms") { $0.loss = weather(goodMean: 0) },
    Case("loss.weather.goodRate", "0 to 1") { $0.loss = weather(goodRate: -0.1) },
    Case("loss.weather.badMeanMilliseconds", "1 to 1000000000 ms") { $0.loss = weather(badMean: .nan) },
    Case("loss.weather.badRate", "0 to 1") { $0.loss = weather(badRate: 2) },
    Case("loss.weather.badExtraDelayMilliseconds", "0 to 3600000 ms") { $0.loss = weather(extra: -1) },
    Case("loss.byTime.meanRate", "0 to 0.99") { $0.loss = .byTime(meanRate: 1, meanBurstMilliseconds: 5) },
    Case("loss.byTime.meanBurstMilliseconds", "1 to 1000000000 ms") {
      $0.loss = .byTime(meanRate: 0.1, meanBurstMilliseconds: 0.5)
    },
    Case("loss.perByte.rate", "0 to 1") { $0.loss = .perByte(rate: -.leastNonzeroMagnitude) },
    Case("loss.acknowledgements.rate", "0 to 1") {
      $0.loss = .acknowledgements(rate: .nan, maximumQUICBytes: 100)
    },
    Case("loss.acknowledgements.maximumQUICBytes", "29 to 65575 bytes") {
      $0.loss = .acknowledgements(rate: 1, maximumQUICBytes: 28)
    },
    Case("loss.byToken.rate", "0 to 1") { $0.loss = .byToken(rate: -1, maximumQUICBytes: 100) },
    Case("loss.byToken.maximumQUICBytes", "29 to 65575 bytes") { $0.loss = .byToken(rate: 1, maximumQUICBytes: 28) },
    Case("loss.pattern", "1 to 1000000 packets") { $0.loss = .pattern([]) },
    Case("corruptionRate", "0 to 1") { $0.corruptionRate = 1.01 },
    Case("corruptionLongestBurst", "1 to 1000000 packets") { $0.corruptionLongestBurst = 0 },
    Case("duplicationRate", "0 to 1") { $0.duplicationRate = -.infinity },
    Case("udpRateBitsPerSecond", "1000 to 1000000000000 bit/s") { $0.udpRateBitsPerSecond = 0 },
    Case("rateBitsPerSecond", "1000 to 1000000000000 bit/s") { $0.rateBitsPerSecond = 10 },
    Case("deliveryOpportunitiesMilliseconds", "1 to 5000000 times") { $0.deliveryOpportunitiesMilliseconds = [] },
    Case("deliveryOpportunitiesMilliseconds", "at least 1 ms") { $0.deliveryOpportunitiesMilliseconds = [0] },
    Case("deliveryOpportunitiesMilliseconds[1]", "5, the time before it, to 1000000000 ms") {
      $0.deliveryOpportunitiesMilliseconds = [5, 4]
    },
    Case("queueBytes", "1 to 1000000000 bytes") {
      $0.rateBitsPerSecond = 1e6
      $0.queueBytes = 0
    },
    Case("queuePackets", "1 to 1000000 packets") {
      $0.rateBitsPerSecond = 1e6
      $0.queuePackets = -1
    },
    Case("queueBytes", "set only beside rateBitsPerSecond") { $0.queueBytes = 1000 },
    Case("queuePackets", "set only beside rateBitsPerSecond") { $0.queuePackets = 10 },
    Case("delaySteps.everyMilliseconds", "1 to 1000000000 ms") { $0.delaySteps = steps(every: 0) },
    Case("delaySteps.amplitudeMilliseconds", "0 to 25 ms, at most the one-way delay") {
      $0.delaySteps = steps(amplitude: 26)
    },
    Case("delaySteps.lossRate", "0 to 1") { $0.delaySteps = steps(lossRate: 1.1, lossDuration: 1) },
    Case("delaySteps.lossDurationMilliseconds", "0 to 100 ms") {
      $0.delaySteps = steps(lossRate: 1, lossDuration: 101)
    },
    Case("delaySteps.lossDurationMilliseconds", "0 to the time between steps") { $0.delaySteps = steps(lossRate: 1) },
    Case("delaySteps.lossRate", "0 to 1") { $0.delaySteps = steps(lossDuration: 5) },
    Case("jitter.uniform.maximumMilliseconds", "0 to 3600000 ms") { $0.jitter = .uniform(maximumMilliseconds: -3) },
    Case("jitter.rightSkewed.meanMilliseconds", "0 to 10 ms, at most the maximum") {
      $0.jitter = .rightSkewed(meanMilliseconds: 11, maximumMilliseconds: 10)
    },
    Case("earlyRate", "0 to 1") { $0.earlyRate = .nan },
  ]

  static func weather(
    goodMean: Double = 1, goodRate: Double = 0, badMean: Double = 1, badRate: Double = 1, extra: Double? = nil
  ) -> Loss {
    .weather(
      goodMeanMilliseconds: goodMean, goodRate: goodRate, badMeanMilliseconds: badMean, badRate: badRate,
      badExtraDelayMilliseconds: extra)
  }

  static func steps(
    every: Double = 100, amplitude: Double = 0, lossRate: Double? = nil, lossDuration: Double? = nil
  ) -> DelaySteps {
    DelaySteps(
      everyMilliseconds: every, amplitudeMilliseconds: amplitude, lossRate: lossRate,
      lossDurationMilliseconds: lossDuration)
  }

  @Test("A value out of its range is refused with its field and what it may be", arguments: refused)
  func refuses(refused: Case) throws {
    for path in ["toClient", "toServer"] {
      var direction = DirectionConditions(oneWayDelayMilliseconds: 25)
      var conditions = LinkConditions(bothWays: direction)
      refused.change(&direction)
      if path == "toClient" { conditions.toClient = direction } else { conditions.toServer = direction }
      let error = #expect(throws: LinkConditionsError.self) { try LinkModel(conditions, seed: LinkRun.seed) }
      #expect(error?.field == "\(path).\(refused.field)")
      #expect(error?.allowed.contains(refused.allowed) == true, "\(error?.description ?? "none")")
    }
  }

  @Test("Rebinding times are limited")
  func rebinding() {
    for (rebinding, field) in [
      (Rebinding(firstMilliseconds: -1), "rebinding.firstMilliseconds"),
      (Rebinding(firstMilliseconds: 0, everyMilliseconds: 0.5), "rebinding.everyMilliseconds"),
    ] {
      let conditions = LinkConditions(
        bothWays: DirectionConditions(oneWayDelayMilliseconds: 0), rebinding: rebinding)
      let error = #expect(throws: LinkConditionsError.self) { try conditions.validate() }
      #expect(error?.field == field)
    }
  }

  @Test("The sentence names field, value and remedy")
  func sentence() {
    let error = LinkConditionsError(field: "toClient.earlyRate", value: "2.0", allowed: "0 to 1")
    #expect("\(error)" == "toClient.earlyRate is 2.0; it may be 0 to 1")
  }

  @Test("Every stage at once is allowed and survives JSON")
  func everyStage() throws {
    var direction = DirectionConditions(oneWayDelayMilliseconds: 0)
    PacketHeadersTests.everyStage(&direction)
    let conditions = LinkConditions(bothWays: direction, rebinding: Rebinding(firstMilliseconds: 1000))
    try conditions.validate()
    let again = try JSONDecoder().decode(LinkConditions.self, from: JSONEncoder().encode(conditions))
    #expect(again == conditions && again.roundTripMilliseconds == 40)
  }
}
