import LinkModel

/// Counts the packets of one direction that the link accepted and dropped, by cause.
struct LossCount: Equatable {
  var packets = 0
  /// Packets that reached the random loss stage, and those of them that it dropped.
  var exposed = 0
  var lost = 0
  var bytes = 0
  var drops: [PacketLogEntry.Cause: Int] = [:]

  init() {}

  init(_ packets: some Sequence<PacketLogEntry>, direction: LinkDirection) {
    for packet in packets where packet.direction == direction { count(packet) }
  }

  private mutating func count(_ packet: PacketLogEntry) {
    packets += 1
    bytes += packet.wireBytes
    let isDropped = packet.verdict == .dropped
    if isDropped { drops[packet.cause, default: 0] += 1 }
    switch packet.cause {
    // These stages stand before the random loss; a packet that they drop never reaches it.
    case .outage, .udpBlocked, .tooLarge, .dropList: if !isDropped { exposed += 1 }
    case .loss, .weather, .delayStep:
      exposed += 1
      if isDropped { lost += 1 }
    case .none, .udpRate, .queueFull, .oldBinding, .corrupted, .duplicated, .early, .unreadable: exposed += 1
    }
  }

  mutating func add(_ other: LossCount) {
    packets += other.packets
    exposed += other.exposed
    lost += other.lost
    bytes += other.bytes
    drops.merge(other.drops, uniquingKeysWith: +)
  }

  var lossPercent: Double? { exposed == 0 ? nil : 100 * Double(lost) / Double(exposed) }

  /// Judged against what was configured, by a 99 % interval.
  func judged(direction: LinkDirection, conditions: DirectionConditions) -> RealisedLoss {
    let evidence = BinomialInterval.evidencePerPacket(conditions.loss)
    let interval = BinomialInterval.wilson(successes: Double(lost) * evidence, trials: Double(exposed) * evidence)
    // Steps of the delay lose packets of their own, for times that no rate in the configuration sums up.
    let rate = conditions.delaySteps?.lossRate == nil ? BinomialInterval.configuredRate(conditions.loss) : nil
    return RealisedLoss(
      direction: direction, packets: exposed, lost: lost, configuredPercent: rate.map { $0 * 100 },
      lowPercent: interval.low * 100, highPercent: interval.high * 100,
      drops: Dictionary(uniqueKeysWithValues: drops.map { ($0.key.rawValue, $0.value) }))
  }
}
