import LinkModel

/// The cost of the events in packets, bytes and processor time, and the server's own lateness.
extension MetricValues {
  mutating func measureCost(_ run: RunTimes, toClient: LossCount, toServer: LossCount) {
    let thousands = Double(run.receivedCount) / 1000
    guard thousands > 0 else { return }
    let packets = toClient.packets + toServer.packets
    if packets > 0 {
      self[.packetsPerThousandEvents] = Double(packets) / thousands
      self[.bytesPerThousandEvents] = Double(toClient.bytes + toServer.bytes) / thousands
    }
    self[.clientCPUPerThousandEvents] = run.record.client.cpuSeconds / thousands
    self[.serverCPUPerThousandEvents] = run.record.serverCPUSeconds.map { $0 / thousands }
  }

  /// Written - scheduled, of the events that the server could have written in time.
  ///
  /// Left out, as the network and not the server decided when they were written: events that were due before their
  /// stream's first event had come, events that were due before a reconnect and came after it, and events after a
  /// tool's result. What remains of the network is backpressure: while a connection stalls, its server cannot write.
  /// Answers the median, which no stall moves.
  mutating func measureServerLateness(_ run: RunTimes) -> Double? {
    let client = run.record.client
    var opened: [Int: Int64] = [:]
    for opening in client.openings where opened[opening.stream] == nil {
      opened[opening.stream] = opening.firstEvent ?? .max
    }
    let resumed = Dictionary(grouping: client.reconnects, by: \.stream)
    var latenesses: [Double] = []
    for event in client.events {
      guard let written = event.written, let received = event.received, event.scheduled >= opened[event.stream] ?? .min
      else { continue }
      if let tool = run.record.toolSequence, event.sequence > tool { continue }
      let isLateByReconnect = (resumed[event.stream] ?? []).contains { reconnect in
        reconnect.nextEvent.map { received >= $0 && event.scheduled < $0 } ?? false
      }
      if !isLateByReconnect { latenesses.append(RunTimes.milliseconds(from: event.scheduled, to: written)) }
    }
    self[.serverLatenessP99] = Quantile.nearestRank(0.99, sorted: latenesses.sorted())
    return Quantile.median(latenesses)
  }
}
