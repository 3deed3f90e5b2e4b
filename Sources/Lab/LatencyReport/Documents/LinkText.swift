import LinkModel

/// A link's conditions in words, one short phrase for each stage that is there.
enum LinkText {
  static func direction(_ direction: LinkDirection) -> String {
    switch direction {
    case .toClient: "to client"
    case .toServer: "to server"
    }
  }

  /// For example "RTT 50 ms, 10 Mbit/s, 1 % loss".
  static func short(_ link: LinkConditions) -> String {
    var parts = ["RTT \(NumberText.shortest(link.roundTripMilliseconds)) ms"]
    if let rate = link.toClient.rateBitsPerSecond { parts.append(bits(rate)) }
    if let loss = link.toClient.loss { parts.append(short(loss)) }
    if link.toClient.blocksUDP == true || link.toServer.blocksUDP == true { parts.append("UDP blocked") }
    if let outage = link.toClient.outages?.first { parts.append(self.outage(outage)) }
    if let rebinding = link.rebinding { parts.append(self.rebinding(rebinding)) }
    return parts.joined(separator: ", ")
  }

  static func stages(_ link: DirectionConditions) -> [NamedValue] {
    var stages = [NamedValue("one-way delay", NumberText.shortest(link.oneWayDelayMilliseconds) + " ms")]
    func add(_ name: String, _ value: String?) {
      if let value { stages.append(NamedValue(name, value)) }
    }
    add("rate", link.rateBitsPerSecond.map(bits))
    if let trace = link.deliveryOpportunitiesMilliseconds { add("rate", "a trace of \(trace.count) opportunities") }
    add("queue", link.queueBytes.map { NumberText.shortest(Double($0) / 1_000) + " kB" })
    add("queue", link.queuePackets.map { "\($0) packets" })
    add("loss", link.loss.map(loss))
    add("jitter", link.jitter.map(jitter))
    add("delay steps", link.delaySteps.map(delaySteps))
    add("outage", link.outages.flatMap { $0.isEmpty ? nil : $0.map(outage).joined(separator: "; ") })
    if link.blocksUDP == true { add("UDP", "blocked") }
    add("UDP policed", link.udpRateBitsPerSecond.map { "at " + bits($0) })
    add("largest packet", link.maximumPacketBytes.map { "\($0) B" })
    if let dropped = link.droppedUDPPackets { add("drop list", "\(dropped.count) UDP packets") }
    let burst = link.corruptionLongestBurst.map { ", at most \($0) in a row" } ?? ""
    add("corrupted", link.corruptionRate.map { percent($0) + burst })
    add("duplicated", link.duplicationRate.map(percent))
    add("sent early", link.earlyRate.map(percent))
    return stages
  }

  static func bits(_ perSecond: Double) -> String {
    if perSecond >= 1e9 { return NumberText.shortest(perSecond / 1e9) + " Gbit/s" }
    if perSecond >= 1e6 { return NumberText.shortest(perSecond / 1e6) + " Mbit/s" }
    return NumberText.shortest(perSecond / 1e3) + " kbit/s"
  }

  static func percent(_ rate: Double) -> String { NumberText.shortest(rate * 100) + " %" }

  private static func short(_ loss: Loss) -> String {
    switch loss {
    case .bernoulli(let rate, longestBurst: _): percent(rate) + " loss"
    case .gilbert(let rate, let burst): percent(rate) + " loss in bursts of \(NumberText.shortest(burst))"
    case .weather: "changing weather"
    case .byTime(let rate, let burst): percent(rate) + " of the time lost, \(NumberText.shortest(burst)) ms at once"
    case .perByte: "loss by packet length"
    case .acknowledgements(let rate, maximumQUICBytes: _): percent(rate) + " of acknowledgements lost"
    case .byToken(let rate, maximumQUICBytes: _): percent(rate) + " of tokens lost"
    case .pattern: "a drop pattern"
    }
  }

  static func loss(_ loss: Loss) -> String {
    switch loss {
    case .bernoulli(let rate, let longest):
      percent(rate) + (longest.map { ", at most \($0) in a row" } ?? "")
    case .gilbert(let rate, let burst):
      percent(rate) + " in bursts of \(NumberText.shortest(burst)) packets on average"
    case .weather(let good, let goodRate, let bad, let badRate, let extra):
      "good \(NumberText.shortest(good)) ms at \(percent(goodRate)), bad \(NumberText.shortest(bad)) ms at "
        + percent(badRate) + (extra.map { " and + \(NumberText.shortest($0)) ms" } ?? "")
    case .byTime(let rate, let burst):
      percent(rate) + " of the time, \(NumberText.shortest(burst)) ms at once on average"
    case .perByte(let rate):
      "by length: \(lost(100, rate)) of packets of 100 B, \(lost(1500, rate)) of 1500 B"
    case .acknowledgements(let rate, let bytes):
      percent(rate) + " of acknowledgements (TCP's without payload, QUIC's packets of at most \(bytes) B)"
    case .byToken(let rate, maximumQUICBytes: _):
      "the packet that brings a token first, for " + percent(rate) + " of tokens, the same for every client"
    case .pattern(let pattern): "a pattern of \(pattern.count) packets, \(pattern.count { $0 }) dropped"
    }
  }

  private static func lost(_ bytes: Int, _ byteRate: Double) -> String {
    percent((Loss.chance(ofLosing: bytes, byteRate: byteRate) * 1e4).rounded() / 1e4)
  }

  private static func jitter(_ jitter: Jitter) -> String {
    switch jitter {
    case .uniform(let maximum): "0 to \(NumberText.shortest(maximum)) ms, even"
    case .rightSkewed(let mean, let maximum):
      "mean \(NumberText.shortest(mean)) ms, up to \(NumberText.shortest(maximum)) ms, right-skewed"
    }
  }

  private static func delaySteps(_ steps: DelaySteps) -> String {
    "± \(NumberText.shortest(steps.amplitudeMilliseconds)) ms every "
      + "\(NumberText.shortest(steps.everyMilliseconds / 1_000)) s"
      + (steps.lossRate.map {
        ", \(percent($0)) loss for \(NumberText.shortest(steps.lossDurationMilliseconds ?? 0)) ms"
      }
        ?? "")
  }

  private static func outage(_ outage: Outage) -> String {
    "outage of \(NumberText.shortest(outage.durationMilliseconds / 1_000)) s at "
      + "\(NumberText.shortest(outage.startMilliseconds / 1_000)) s"
      + (outage.everyMilliseconds.map { ", every \(NumberText.shortest($0 / 1_000)) s" } ?? "")
  }

  static func rebinding(_ rebinding: Rebinding) -> String {
    "NAT gives a new \(rebinding.changesAddress ? "address" : "port") at "
      + "\(NumberText.shortest(rebinding.firstMilliseconds / 1_000)) s"
      + (rebinding.everyMilliseconds.map { ", every \(NumberText.shortest($0 / 1_000)) s" } ?? "")
  }
}

extension LinkConditions {
  subscript(direction: LinkDirection) -> DirectionConditions {
    switch direction {
    case .toClient: toClient
    case .toServer: toServer
    }
  }
}

extension Loss {
  /// The loss among all packets over a long time, in percent; nil where it depends on the packets.
  var meanPercent: Double? {
    switch self {
    case .bernoulli(let rate, longestBurst: _): rate * 100
    case .gilbert(let meanRate, meanBurstPackets: _): meanRate * 100
    case .weather(let good, let goodRate, let bad, let badRate, _):
      good + bad > 0 ? (good * goodRate + bad * badRate) / (good + bad) * 100 : 0
    case .byTime(let meanRate, meanBurstMilliseconds: _): meanRate * 100
    case .perByte, .acknowledgements, .byToken: nil
    case .pattern(let pattern): pattern.isEmpty ? 0 : Double(pattern.count { $0 }) / Double(pattern.count) * 100
    }
  }
}
