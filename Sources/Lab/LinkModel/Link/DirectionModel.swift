/// The stages of one direction in the order in which a packet passes them.
///
/// Only UDP and TCP packets draw random numbers and take room on the line, so that what a kernel sends of its own accord
/// (neighbour discovery, multicast reports) does not change what happens to them. Packets of other protocols pass the
/// outages, the size limit and the delay, and wait for those before them.
struct DirectionModel: Sendable {
  enum Admission {
    case dropped(PacketLogEntry.Cause)
    case admitted(isCorrupted: Bool, isDuplicated: Bool)
  }

  enum Passage {
    case dropped(PacketLogEntry.Cause)
    case due(Int64, isEarly: Bool)
  }

  private let outages: OutageSchedule
  private var filter: PacketFilter
  private var loss: LossProcess?
  private var delaySteps: DelayStepProcess?
  private var corruption: CorruptionProcess?
  private let duplicationRate: Double
  private var duplication: LinkGenerator
  private var policer: TokenBucket?
  private var queue: DropTailQueue
  private var transmitter: Transmitter?
  private let delay: Int64
  /// The loss's weather again, at the time that packets leave the queue, which is later than it is for the loss.
  private var weatherAtDelay: WeatherProcess?
  private var badExtraDelay: Int64 = 0
  private var jitter: JitterProcess?
  private let keepsOrder: Bool
  private let earlyRate: Double
  private var early: LinkGenerator
  /// The time at which the last packet that was not early is due.
  private var lastDue = -LinkTime.limit

  init(_ conditions: DirectionConditions, seed: LinkSeed, _ direction: LinkDirection) {
    outages = OutageSchedule(conditions.outages ?? [])
    filter = PacketFilter(conditions)
    loss = conditions.loss.map { LossProcess($0, seed: seed, direction) }
    delaySteps = conditions.delaySteps.map { DelayStepProcess($0, seed: seed, direction) }
    corruption = conditions.corruptionRate.map {
      CorruptionProcess(rate: $0, longestBurst: conditions.corruptionLongestBurst, seed: seed, direction)
    }
    duplicationRate = conditions.duplicationRate ?? 0
    duplication = seed.generator(for: .duplication, direction)
    policer = conditions.udpRateBitsPerSecond.map(TokenBucket.init(rateBitsPerSecond:))
    queue = DropTailQueue(limitBytes: conditions.queueBytes, limitPackets: conditions.queuePackets)
    transmitter = Transmitter(conditions)
    delay = LinkTime.nanoseconds(conditions.oneWayDelayMilliseconds)
    if case .weather(let goodMean, _, let badMean, _, let extra?) = conditions.loss {
      weatherAtDelay = WeatherProcess(goodMeanMilliseconds: goodMean, badMeanMilliseconds: badMean, seed: seed)
      badExtraDelay = LinkTime.nanoseconds(extra)
    }
    jitter = conditions.jitter.map { JitterProcess($0, seed: seed, direction) }
    keepsOrder = !(conditions.jitterReorders ?? false)
    earlyRate = conditions.earlyRate ?? 0
    early = seed.generator(for: .early, direction)
  }

  /// The first stages, up to duplication: whether the packet may pass at all; may change a byte of it.
  mutating func admit(_ packet: inout LinkPacket, _ headers: PacketHeaders, at now: Int64, start: Int64?) -> Admission {
    let elapsed = start.map { now - $0 }
    filter.count(headers.transport)
    if let elapsed, outages.contains(elapsed) { return .dropped(.outage) }
    if let cause = filter.cause(headers.transport, size: packet.size) { return .dropped(cause) }
    guard headers.transport != .other else { return .admitted(isCorrupted: false, isDuplicated: false) }
    if let cause = loss?.cause(of: packet, headers, at: elapsed) { return .dropped(cause) }
    if let elapsed, delaySteps?.drops(at: elapsed) == true { return .dropped(.delayStep) }
    return .admitted(
      isCorrupted: corruption?.corrupt(&packet, headers) ?? false,
      isDuplicated: duplicationRate > 0 && duplication.chance(duplicationRate))
  }

  /// Whether the loss waits for marks of tokens.
  var lossIsByToken: Bool { loss?.isByToken ?? false }

  /// A token is about to be sent this way.
  mutating func tokenMarked(_ mark: TokenMark) { loss?.tokenMarked(mark) }

  /// Bytes that wait before the rate.
  mutating func queuedBytes(at now: Int64) -> Int {
    queue.advance(to: now)
    return queue.bytes
  }

  /// The stages that take time, for one copy of a packet; `queuedBytes(at:)` has been asked for the same time.
  mutating func pass(
    _ size: Int, _ transport: PacketLogEntry.TransportProtocol, at now: Int64, start: Int64?
  ) -> Passage {
    guard transport != .other else {
      let sent = max(now, transmitter?.idleAt ?? now)
      return .due(sent + delay(at: sent, start: start), isEarly: false)
    }
    if transport == .udp, policer?.admits(size, at: now) == false { return .dropped(.udpRate) }
    var sent = now
    if transmitter != nil {
      let begins = transmitter?.begin(at: now, start: start) ?? now
      if begins > now {
        guard queue.hasRoom(for: size) else { return .dropped(.queueFull) }
        queue.append(size: size, begins: begins)
      }
      sent = transmitter?.transmit(size, at: now, start: start) ?? now
    }
    let jittered = jitter?.next() ?? 0
    if earlyRate > 0, early.chance(earlyRate) { return .due(sent, isEarly: true) }
    var due = sent + delay(at: sent, start: start) + jittered
    if keepsOrder {
      due = max(due, lastDue)
      lastDue = due
    }
    return .due(due, isEarly: false)
  }

  /// The delay without jitter of a packet that leaves the queue at a time.
  private mutating func delay(at sent: Int64, start: Int64?) -> Int64 {
    guard let start else { return delay }
    var total = delay + (delaySteps?.offset(at: sent - start) ?? 0)
    weatherAtDelay?.advance(to: sent - start)
    if weatherAtDelay?.isBad == true { total += badExtraDelay }
    return max(0, total)
  }
}
