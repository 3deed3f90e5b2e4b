package import HTTP3Engine
package import LinkModel

/// The engine's datagrams on a ``LinkModel`` in virtual time, with the test's own hand on the line.
package struct VirtualLink {
  package struct Arrival {
    package var bytes: [UInt8]
    package var direction: LinkDirection
    package var path: NetworkPath
    package var ecn: ECNCodepoint
  }

  /// What a datagram has besides its bytes.
  private struct Envelope {
    var path: NetworkPath
    var ecn: ECNCodepoint
    var copies: Int
    /// What arrives in place of the model's damage, which is among the first 50 bytes alone.
    var damaged: [UInt8]?
  }

  /// A link as it was until its conditions changed: what is on it still arrives as it would have.
  private struct Era {
    var model: LinkModel
    var envelopes: [Int: Envelope] = [:]
  }

  package private(set) var conditions: LinkConditions
  /// Directions in which everything is dropped.
  package var cuts: Set<LinkDirection> = []
  private let seed: UInt64
  private var eras: [Era]
  private var deliveries: [LinkDirection: UInt64] = [:]
  private var generator: SeededGenerator

  package init(_ conditions: LinkConditions, seed: UInt64) throws {
    self.conditions = conditions
    self.seed = seed
    generator = SeededGenerator(seed: seed ^ 0xda3a6e)
    eras = [Era(model: try LinkModel(conditions, seed: LinkSeed(scenario: seed, repetition: 0)))]
  }

  /// 20 ms each way and nothing else.
  package static let plain = LinkConditions(bothWays: DirectionConditions(oneWayDelayMilliseconds: 20))

  /// Other conditions for what is sent from now on.
  package mutating func change(_ body: (inout LinkConditions) -> Void) throws {
    body(&conditions)
    let seed = LinkSeed(scenario: seed, repetition: UInt64(eras.count))
    eras.append(Era(model: try LinkModel(conditions, seed: seed)))
  }

  /// Datagrams that have arrived.
  package func delivered(_ direction: LinkDirection) -> UInt64 { deliveries[direction] ?? 0 }

  package var nextArrival: Timestamp? {
    eras.compactMap(\.model.nextDelivery).min().map { Timestamp(nanoseconds: UInt64(max(0, $0))) }
  }

  package mutating func send(
    _ bytes: [UInt8], _ direction: LinkDirection, path: NetworkPath, ecn: ECNCodepoint, at now: Timestamp
  ) {
    guard !cuts.contains(direction) else { return }
    let last = eras.count - 1
    let time = Int64(clamping: now.nanoseconds)
    let log = eras[last].model.send(LinkPacket(bytes: bytes, framing: .udpPayload), direction, at: time)
    let copies = log.count { $0.verdict == .delivered }
    guard let first = log.first, copies > 0 else { return }
    let damaged = first.cause == .corrupted ? damage(bytes) : nil
    eras[last].envelopes[first.number] = Envelope(path: path, ecn: ecn, copies: copies, damaged: damaged)
  }

  /// Takes one datagram that has arrived by `now`, the earliest first.
  package mutating func receive(at now: Timestamp) -> Arrival? {
    let time = Int64(clamping: now.nanoseconds)
    let due = eras.indices.compactMap { index in eras[index].model.nextDelivery.map { (index: index, at: $0) } }
    guard let next = due.min(by: { $0.at < $1.at }), next.at <= time,
      let delivery = eras[next.index].model.deliver(at: time),
      var envelope = eras[next.index].envelopes[delivery.number]
    else { return nil }
    envelope.copies -= 1
    eras[next.index].envelopes[delivery.number] = envelope.copies > 0 ? envelope : nil
    deliveries[delivery.direction, default: 0] += 1
    let bytes = envelope.damaged ?? delivery.bytes
    return Arrival(bytes: bytes, direction: delivery.direction, path: envelope.path, ecn: envelope.ecn)
  }

  /// Any one byte changed.
  private mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let index = Int(generator.next() % UInt64(max(1, bytes.count)))
    guard bytes.indices.contains(index) else { return bytes }
    bytes[index] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
    return bytes
  }
}
