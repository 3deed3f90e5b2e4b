/// The client's NAT: it stands at the client's end, so packets toward the server are translated as they enter the link
/// and packets toward the client as they leave it.
///
/// Until the first rebinding addresses pass as they are. After it every socket of the client has a port of the NAT's
/// own, the same toward every server (RFC 4787 § 4.1), and what is addressed to anything else is dropped.
struct NATTable: Sendable {
  /// Sockets that can be bound at once, half of the ports of a generation; more are dropped.
  static let mostBindings = 8_000

  let schedule: RebindingSchedule
  private let changesAddress: Bool
  private let seed: UInt64
  /// The rebinding that the tables belong to.
  private var generation = 0
  private var publicBySocket: [PacketEndpoint: PacketEndpoint] = [:]
  private var socketByPublic: [PacketEndpoint: PacketEndpoint] = [:]

  init(_ rebinding: Rebinding, seed: LinkSeed) {
    schedule = RebindingSchedule(rebinding)
    changesAddress = rebinding.changesAddress
    self.seed = seed.value(for: .rebinding)
  }

  /// Rewrites a packet toward the server; false if no port is free for it.
  mutating func translateToServer(_ bytes: inout [UInt8], _ headers: PacketHeaders, at elapsed: Int64?) -> Bool {
    move(to: schedule.count(at: elapsed))
    guard generation > 0, let socket = headers.source(in: bytes) else { return true }
    guard let binding = publicBySocket[socket] ?? bind(socket) else { return false }
    headers.replaceSource(with: binding, in: &bytes)
    return true
  }

  /// Rewrites a packet toward the client that enters the link at a time and leaves it at another; false if it is not
  /// addressed to a binding of the time that it leaves.
  mutating func translateToClient(
    _ bytes: inout [UInt8], _ headers: PacketHeaders, at elapsed: Int64?, leaving: Int64?
  ) -> Bool {
    move(to: schedule.count(at: elapsed))
    let generationLeaving = schedule.count(at: leaving)
    guard generationLeaving > 0, let binding = headers.destination(in: bytes) else { return true }
    // A port that is bound only while the packet is under way cannot be known to its sender.
    guard generationLeaving == generation, let socket = socketByPublic[binding] else { return false }
    headers.replaceDestination(with: socket, in: &bytes)
    return true
  }

  private mutating func move(to new: Int) {
    guard new != generation else { return }
    generation = new
    publicBySocket.removeAll(keepingCapacity: true)
    socketByPublic.removeAll(keepingCapacity: true)
  }

  /// Ports come from the rebinding's number and the socket's own port, not from the order of packets. Their last two
  /// bits are the number's, so a socket never gets a port of one of the three rebindings before.
  private mutating func bind(_ socket: PacketEndpoint) -> PacketEndpoint? {
    guard publicBySocket.count < Self.mostBindings else { return nil }
    var binding = socket
    if changesAddress { binding.host = host(inPlaceOf: socket.host) }
    var generator = LinkGenerator(seed: seed ^ UInt64(generation) << 16 ^ UInt64(socket.port))
    // With half of the ports bound each try finds a free one with a chance of a half.
    for _ in 0..<64 {
      binding.port = UInt16(1024 + generator.below(16_128) * 4 + generation % 4)
      guard binding.port != socket.port, socketByPublic[binding] == nil else { continue }
      publicBySocket[socket] = binding
      socketByPublic[binding] = socket
      return binding
    }
    return nil
  }

  /// Another host of the same /24 (for IPv6, /120), neither the network's nor the broadcast address: all others come
  /// in turn before one comes again, for 97 has no divisor in common with 253 or 254.
  private func host(inPlaceOf original: UInt8) -> UInt8 {
    let others = (1...254).filter { $0 != Int(original) }
    guard !others.isEmpty else { return original }
    let first = Int(truncatingIfNeeded: seed >> 33)
    return UInt8(others[(first + generation % 253 * 97) % others.count])
  }
}
