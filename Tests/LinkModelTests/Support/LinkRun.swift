import LinkModel

/// A link fed in virtual time, and all that came of it.
struct LinkRun {
  static let millisecond: Int64 = 1_000_000
  static let seed = LinkSeed(scenario: 0x5EED, repetition: 7)

  var link: LinkModel
  private(set) var entries: [PacketLogEntry] = []
  private(set) var deliveries: [Delivery] = []

  init(_ conditions: LinkConditions, seed: LinkSeed = seed) throws {
    link = try LinkModel(conditions, seed: seed)
  }

  /// One direction with conditions, changed from those of a link that does nothing.
  init(seed: LinkSeed = seed, rebinding: Rebinding? = nil, _ change: (inout DirectionConditions) -> Void) throws {
    var direction = DirectionConditions(oneWayDelayMilliseconds: 0)
    change(&direction)
    try self.init(LinkConditions(bothWays: direction, rebinding: rebinding), seed: seed)
  }

  @discardableResult
  mutating func send(
    _ packet: LinkPacket, _ direction: LinkDirection = .toServer, atMilliseconds time: Double
  ) -> [PacketLogEntry] {
    let now = Int64(time * 1e6)
    deliver(until: now)
    let new = link.send(packet, direction, at: now)
    entries += new
    return new
  }

  /// The same packet over and over.
  mutating func send(
    _ count: Int, everyMilliseconds: Double, bytes: Int = 1200, from start: Double = 0,
    _ direction: LinkDirection = .toServer
  ) {
    let packet = Self.packet(bytes: bytes)
    for index in 0..<count {
      send(packet, direction, atMilliseconds: start + Double(index) * everyMilliseconds)
    }
  }

  mutating func deliver(until now: Int64 = .max) {
    while let delivery = link.deliver(at: now) { deliveries.append(delivery) }
  }

  /// A UDP packet of this many bytes with its headers.
  static func packet(bytes: Int) -> LinkPacket {
    PacketBuilder(payload: [UInt8](repeating: 0x42, count: max(0, bytes - 28))).packet
  }

  func count(_ cause: PacketLogEntry.Cause) -> Int { entries.count { $0.cause == cause } }

  var dropped: [Bool] { entries.map { $0.verdict == .dropped } }

  /// Lengths of runs of dropped packets.
  var bursts: [Int] {
    var lengths: [Int] = []
    var run = 0
    for isDropped in dropped + [false] {
      if isDropped {
        run += 1
      } else if run > 0 {
        lengths.append(run)
        run = 0
      }
    }
    return lengths
  }
}
