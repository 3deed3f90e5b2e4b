import LinkModel

/// Head-of-line blocking and recovery, from the link's own log and never from a library's counters.
extension MetricValues {
  /// Answers with how many events could be assigned to a packet.
  mutating func measureBlocking(_ run: RunTimes) -> Int? {
    let packets = run.packets
    guard !packets.isEmpty else { return nil }
    let attribution = PacketAttribution(
      events: run.record.client.events, packets: packets, eventBytes: run.scenario.eventBytes)
    var blocked = 0
    var blockedTime = 0.0
    var recoveries: [Double] = []
    for (event, packet) in attribution.carried {
      let received = event.received ?? run.end
      if packet.isLostToReceiver {
        recoveries.append(RunTimes.milliseconds(from: packet.entered, to: received) / run.roundTripMilliseconds)
      } else if packet.verdict == .delivered, let left = packet.left ?? packet.due {
        let waited = RunTimes.milliseconds(from: left, to: received)
        guard waited > 5 else { continue }
        blocked += 1
        blockedTime += waited
      }
    }
    self[.blockedEvents] = Double(blocked)
    self[.blockedTime] = blockedTime
    recoveries.sort()
    self[.recoveryP50] = Quantile.nearestRank(0.5, sorted: recoveries)
    self[.recoveryP95] = Quantile.nearestRank(0.95, sorted: recoveries)
    return attribution.carried.count
  }
}

extension PacketLogEntry {
  /// Bytes of an IP packet, which has at most 65 575 with IPv6's header; a log from a file may say anything.
  var wireBytes: Int { min(max(0, bytes), 65_575) }

  /// Dropped on the link, or so damaged on it that the receiver throws it away.
  var isLostToReceiver: Bool { verdict == .dropped || cause == .corrupted }
}
