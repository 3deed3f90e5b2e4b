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

  /// A datagram's properties besides its bytes.
  private struct Envelope {
    var path: NetworkPath
    var ecn: ECNCodepoint
    var copies: Int
    /// The bytes that arrive in place of the model's damage, which is among the first 50 bytes alone.
    var damaged: [UInt8]?
  }

  /// A client's socket behind a NAT's binding.
  private struct Binding {
    var socket: NetworkAddress
    var generation: Int
  }

  /// A link as it was until its conditions changed: what is on it still arrives as it would have.
  private struct Era {
    var model: LinkModel
    var envelopes: [Int: Envelope] = [:]
  }

  package private(set) var conditions: LinkConditions
  /// Directions in which everything is dropped.
  package var cuts: Set<LinkDirection> = []
  /// A router's change to the ECN mark of a datagram; nil drops the datagram.
  package var remark: (LinkDirection, ECNCodepoint) -> ECNCodepoint? = { $1 }
  /// The mark of the last datagram that was sent, and how many had each.
  package private(set) var lastMark: [LinkDirection: ECNCodepoint] = [:]
  package private(set) var marks: [LinkDirection: [ECNCodepoint: Int]] = [:]
  /// The size of the largest datagram that has arrived, in bytes of UDP payload.
  package private(set) var largestDelivered: [LinkDirection: Int] = [:]
  private let seed: UInt64
  private var eras: [Era]
  private var deliveries: [LinkDirection: UInt64] = [:]
  private var bindings: [NetworkAddress: Binding] = [:]
  /// The number of each of the link's faults.
  package private(set) var faults: [LinkFault: Int] = [:]
  package var onFault: (LinkFault, LinkDirection, _ bytes: Int) -> Void = { _, _, _ in }
  /// The newest datagram that arrived, by its number, and the newest binding that one came from.
  private var newest: [LinkDirection: Int] = [:]
  private var newestBinding = 0
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
    newest = [:]
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
    lastMark[direction] = ecn
    marks[direction, default: [:]][ecn, default: 0] += 1
    guard !cuts.contains(direction), let ecn = remark(direction, ecn) else { return }
    let last = eras.count - 1
    let time = Int64(clamping: now.nanoseconds)
    var path = path
    var binding: Int?
    if direction == .toClient, let known = bindings[path.local] {
      path.local = known.socket
      binding = known.generation
    }
    let packet = LinkPacket(bytes: bytes, framing: .udpPayload, binding: binding)
    let log = eras[last].model.send(packet, direction, at: time)
    for entry in log { if let fault = LinkFault(entry.cause) { count(fault, direction, bytes.count) } }
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
    largestDelivered[delivery.direction] = max(largestDelivered[delivery.direction] ?? 0, bytes.count)
    if delivery.number < newest[delivery.direction] ?? 0 { count(.reordering, delivery.direction, bytes.count) }
    newest[delivery.direction] = max(newest[delivery.direction] ?? 0, delivery.number)
    var path = envelope.path
    if delivery.direction == .toServer { path.remote = publicAddress(of: path.remote, delivery.rebinding ?? 0) }
    return Arrival(bytes: bytes, direction: delivery.direction, path: path, ecn: envelope.ecn)
  }

  private mutating func count(_ fault: LinkFault, _ direction: LinkDirection, _ bytes: Int) {
    faults[fault, default: 0] += 1
    onFault(fault, direction, bytes)
  }

  /// The address that the server sees: another port, and where the conditions say so another host, for each binding.
  private mutating func publicAddress(of socket: NetworkAddress, _ generation: Int) -> NetworkAddress {
    var address = socket
    if generation > 0 {
      address.port = UInt16(50_000 + Int(socket.port) % 100 * 150 + generation % 150)
      if conditions.rebinding?.changesAddress == true, case .v4(let host) = socket.ip {
        address.ip = .v4(host & ~0xff | UInt32(101 + generation % 100))
      }
    }
    if generation > newestBinding {
      newestBinding = generation
      count(.rebinding, .toServer, 0)
    }
    bindings[address] = Binding(socket: socket, generation: generation)
    return address
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
