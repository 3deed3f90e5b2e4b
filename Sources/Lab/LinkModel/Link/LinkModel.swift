/// A link between a client and a server: packets in with a time, decisions out. No clock, no I/O, and no randomness but
/// its seed's: the same conditions, seed, packets and times give the same decisions to the last packet.
///
/// All times are nanoseconds of one monotonic clock of the caller's; one earlier than the latest counts as the latest.
///
/// Processes of time (outages, weather, delay steps, delivery opportunities, rebinding) start at the first UDP or TCP
/// packet toward the server and depend on the seed alone, so two protocols encounter the same. What is decided per
/// packet (loss, corruption, duplication, jitter, early delivery) has a generator per direction and stage.
package struct LinkModel: Sendable {
  package let conditions: LinkConditions
  package let seed: LinkSeed
  /// The arrival time of the first UDP or TCP packet toward the server; nil before.
  package private(set) var started: Int64?
  private var toClient: DirectionModel
  private var toServer: DirectionModel
  private var translator: NATTable?
  private var onLink = DeliveryHeap()
  private var nextNumber = 0
  private var latest = -LinkTime.limit

  package init(_ conditions: LinkConditions, seed: LinkSeed) throws(LinkConditionsError) {
    try conditions.validate()
    self.conditions = conditions
    self.seed = seed
    toClient = DirectionModel(conditions.toClient, seed: seed, .toClient)
    toServer = DirectionModel(conditions.toServer, seed: seed, .toServer)
    translator = conditions.rebinding.map { NATTable($0, seed: seed) }
  }

  /// The time at which the next packet is due; nil if none is on the link.
  package var nextDelivery: Int64? { onLink.nextDue }
  package var packetsOnLink: Int { onLink.count }
  package var bytesOnLink: Int { onLink.bytes }

  /// The number of times that the NAT has changed its bindings until a time; 0 without one.
  package func rebindings(at time: Int64) -> Int {
    translator?.schedule.count(at: started.map { LinkTime.held(time) - $0 }) ?? 0
  }

  /// Takes the earliest packet that is due by `now`.
  package mutating func deliver(at now: Int64) -> Delivery? {
    guard let due = onLink.nextDue, due <= now else { return nil }
    return onLink.popFirst()
  }

  /// The next packet toward the client with a payload brings this token; has no effect unless loss is by token.
  package mutating func tokenMarked(_ mark: TokenMark) { toClient.tokenMarked(mark) }

  /// Puts a packet on the link; answers what was decided: one entry, two when it is duplicated, none for the mark of a
  /// token where loss is by token.
  package mutating func send(_ packet: LinkPacket, _ direction: LinkDirection, at now: Int64) -> [PacketLogEntry] {
    var packet = packet
    let headers = PacketHeaders(of: packet)
    if direction == .toClient, toClient.lossIsByToken, let mark = TokenMark(packet, headers) {
      tokenMarked(mark)
      return []
    }
    latest = max(latest, LinkTime.held(now))
    if started == nil, direction == .toServer, headers.transport != .other { started = latest }
    var entry = PacketLogEntry(
      number: nextNumber, direction: direction, transport: headers.transport, bytes: packet.size, entered: now,
      verdict: .dropped, queuedBytes: queuedBytes(direction))
    nextNumber += 1
    let copies: Int
    switch admit(&packet, headers, direction) {
    case .dropped(let cause):
      entry.cause = cause
      return [entry]
    case .admitted(let isCorrupted, let isDuplicated):
      entry.cause = isCorrupted ? .corrupted : headers.isReadable ? .none : .unreadable
      copies = isDuplicated ? 2 : 1
    }
    forward(packet, headers, &entry, isDuplicate: false)
    guard copies == 2 else { return [entry] }
    var second = PacketLogEntry(
      number: entry.number, direction: direction, transport: entry.transport, bytes: entry.bytes, entered: now,
      verdict: .dropped, cause: .duplicated, queuedBytes: queuedBytes(direction))
    forward(packet, headers, &second, isDuplicate: true)
    return [entry, second]
  }

  private mutating func queuedBytes(_ direction: LinkDirection) -> Int {
    switch direction {
    case .toClient: toClient.queuedBytes(at: latest)
    case .toServer: toServer.queuedBytes(at: latest)
    }
  }

  private mutating func admit(
    _ packet: inout LinkPacket, _ headers: PacketHeaders, _ direction: LinkDirection
  ) -> DirectionModel.Admission {
    switch direction {
    case .toClient: toClient.admit(&packet, headers, at: latest, start: started)
    case .toServer: toServer.admit(&packet, headers, at: latest, start: started)
    }
  }

  /// One copy through the stages that take time, and onto the heap.
  private mutating func forward(
    _ packet: LinkPacket, _ headers: PacketHeaders, _ entry: inout PacketLogEntry, isDuplicate: Bool
  ) {
    guard
      onLink.count < LinkLimits.packetsInFlight, onLink.bytes + packet.bytes.count <= LinkLimits.bytesInFlight
    else {
      entry.cause = .queueFull
      return
    }
    let passage =
      switch entry.direction {
      case .toClient: toClient.pass(packet.size, headers.transport, at: latest, start: started)
      case .toServer: toServer.pass(packet.size, headers.transport, at: latest, start: started)
      }
    switch passage {
    case .dropped(let cause):
      entry.cause = cause
    case .due(let due, let isEarly):
      var delivery = Delivery(
        bytes: packet.bytes, direction: entry.direction, number: entry.number, isDuplicate: isDuplicate, due: due)
      guard translate(&delivery, headers, binding: packet.binding) else {
        entry.cause = .oldBinding
        return
      }
      entry.due = due
      entry.verdict = .delivered
      if isEarly, entry.cause == .none { entry.cause = .early }
      onLink.insert(delivery)
    }
  }

  /// Whether the NAT lets a packet through; rewrites it if so.
  private mutating func translate(_ delivery: inout Delivery, _ headers: PacketHeaders, binding: Int?) -> Bool {
    guard translator != nil else { return true }
    let start = started
    let elapsed = start.map { latest - $0 }
    switch delivery.direction {
    case .toServer:
      delivery.rebinding = rebindings(at: latest)
      return translator?.translateToServer(&delivery.bytes, headers, at: elapsed) ?? true
    case .toClient:
      let rebinding = rebindings(at: delivery.due)
      delivery.rebinding = rebinding
      if headers.network == .absent { return binding == nil || binding == rebinding }
      let leaving = start.map { delivery.due - $0 }
      return translator?.translateToClient(&delivery.bytes, headers, at: elapsed, leaving: leaving) ?? true
    }
  }
}
