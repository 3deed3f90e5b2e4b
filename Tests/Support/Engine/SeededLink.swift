package import HTTP3Engine

/// One direction of a bad network in virtual time.
package struct SeededLink {
  package struct Conditions: Sendable {
    /// One-way delay.
    package var delay: Duration = .milliseconds(20)
    /// Probability that a datagram is dropped.
    package var loss = 0.0
    /// Probability that a datagram is held back by up to three times the delay.
    package var reordering = 0.0
    package var duplication = 0.0
    /// Probability that one byte arrives changed.
    package var corruption = 0.0

    package init() {}
  }

  package struct Arrival {
    package var time: Timestamp
    package var bytes: [UInt8]
    package var path: NetworkPath
    package var ecn: ECNCodepoint
  }

  package var conditions: Conditions
  /// Drops everything while set.
  package var isCut = false
  package private(set) var delivered: UInt64 = 0
  private var generator: SeededGenerator
  private var inFlight: [Arrival] = []

  package init(_ conditions: Conditions, seed: UInt64) {
    self.conditions = conditions
    generator = SeededGenerator(seed: seed)
  }

  package var nextArrival: Timestamp? { inFlight.map(\.time).min() }

  /// Puts a datagram on the link; loss is decided before everything else.
  package mutating func send(
    _ bytes: [UInt8], path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp
  ) {
    guard !isCut, !generator.chance(conditions.loss) else { return }
    var copies = generator.chance(conditions.duplication) ? 2 : 1
    while copies > 0 {
      copies -= 1
      var arriving = bytes
      if !arriving.isEmpty, generator.chance(conditions.corruption) {
        let index = Int(generator.next() % UInt64(arriving.count))
        arriving[index] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
      }
      var delay = conditions.delay
      if generator.chance(conditions.reordering) {
        delay += conditions.delay * Int(1 + generator.next() % 3)
      }
      inFlight.append(Arrival(time: now + delay, bytes: arriving, path: path, ecn: ecn))
    }
  }

  /// Takes one datagram that has arrived by `now`, the earliest first.
  package mutating func receive(at now: Timestamp) -> Arrival? {
    guard
      let index = inFlight.indices.min(by: { inFlight[$0].time < inFlight[$1].time }),
      inFlight[index].time <= now
    else { return nil }
    delivered += 1
    return inFlight.remove(at: index)
  }
}
