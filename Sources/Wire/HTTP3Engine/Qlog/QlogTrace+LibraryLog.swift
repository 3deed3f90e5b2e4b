extension QlogTrace {
  /// Records the content of a line of the library's log.
  func library(_ line: Substring) {
    switch LibraryLogLine(line) {
    case .packetLost(let kind, let number): packetLost(kind, number: number)
    case .lossTimerSet(let deadline):
      lossTimer("set", nanoseconds: deadline > now.nanoseconds ? deadline - now.nanoseconds : 0)
    case .lossTimerCancelled: lossTimer("cancelled")
    case .lossTimerFired: lossTimer("expired")
    case .probeCount(let count): probeTimeout(count)
    case .congestionState(let name):
      if reportsCongestion { congestionStateChanged(name) }
    case .persistentCongestion:
      if reportsCongestion { congestionStateChanged("slow_start", trigger: "persistent_congestion") }
    case .keysDiscarded(let level): keysDiscarded(level)
    case .packetSeen(let kind, let number): packets.lastSeen = (kind, number)
    case .duplicateDropped: duplicateDropped()
    case .packetDropped(let kind, let trigger): packetDropped(kind, length: nil, trigger: trigger)
    case .packetBuffered(let kind, let length): packetBuffered(kind, length: length)
    case nil: break
    }
  }
}
