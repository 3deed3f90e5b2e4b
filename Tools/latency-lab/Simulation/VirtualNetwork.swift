import HTTP3Engine
import LatencyReport
import LinkModel

/// The engine's datagrams on a link model in virtual time, with the addresses that a NAT on the way shows.
struct VirtualNetwork {
  struct EventArrival {
    var bytes: [UInt8]
    var direction: LinkDirection
    /// The path as its receiver sees it.
    var path: NetworkPath
    var ecn: ECNCodepoint
  }

  /// A datagram's metadata.
  private struct Envelope {
    var path: NetworkPath
    var ecn: ECNCodepoint
    /// The place of its entries in the log: the original's, and behind it a duplicate's.
    var entry: Int
    var copies: Int
  }

  /// A client's socket behind a NAT's binding.
  private struct Binding: Hashable {
    var socket: NetworkAddress
    var generation: Int
  }

  private var model: LinkModel
  private let changesAddress: Bool
  private var envelopes: [Int: Envelope] = [:]
  private var bindings: [NetworkAddress: Binding] = [:]
  private var entries: [PacketLogEntry] = []

  static let server = NetworkAddress(ip: .v4(0xc612_0164), port: 443)
  /// The client's host; its sockets take ports in turn.
  static func socket(_ index: Int) -> NetworkAddress {
    NetworkAddress(ip: .v4(0xc612_0064), port: UInt16(40_000 + index % 10_000))
  }

  init(_ conditions: LinkConditions, seed: LinkSeed) throws(LinkConditionsError) {
    model = try LinkModel(conditions, seed: seed)
    changesAddress = conditions.rebinding?.changesAddress ?? false
  }

  var nextArrival: Int64? { model.nextDelivery }

  /// A token is about to be sent toward the client.
  mutating func tokenMarked(_ mark: TokenMark) { model.tokenMarked(mark) }

  /// Puts datagrams of one path on the link.
  mutating func send(_ batch: DatagramBatch, _ direction: LinkDirection, at now: Int64) {
    var path = NetworkPath(local: batch.path.remote, remote: batch.path.local)
    var generation: Int?
    if direction == .toClient, let binding = bindings[path.local] {
      path.local = binding.socket
      generation = binding.generation
    }
    for index in 0..<batch.segmentCount {
      let packet = LinkPacket(bytes: Array(batch.segment(at: index)), framing: .udpPayload, binding: generation)
      let log = model.send(packet, direction, at: now)
      let copies = log.count { $0.verdict == .delivered }
      if let first = log.first, copies > 0 {
        envelopes[first.number] = Envelope(path: path, ecn: batch.ecn, entry: entries.count, copies: copies)
      }
      entries += log
    }
  }

  /// Takes the earliest datagram that has arrived by `now`.
  mutating func receive(at now: Int64) -> EventArrival? {
    guard let delivery = model.deliver(at: now), var envelope = envelopes[delivery.number] else { return nil }
    let entry = envelope.entry + (delivery.isDuplicate ? 1 : 0)
    if entries.indices.contains(entry) { entries[entry].left = delivery.due }
    envelope.copies -= 1
    envelopes[delivery.number] = envelope.copies > 0 ? envelope : nil
    var path = envelope.path
    if delivery.direction == .toServer { path.remote = publicAddress(of: path.remote, delivery.rebinding ?? 0) }
    return EventArrival(bytes: delivery.bytes, direction: delivery.direction, path: path, ecn: envelope.ecn)
  }

  /// The log of every packet so far; packets that are still on the link are marked.
  var log: [PacketLogEntry] {
    entries.map { entry in
      var entry = entry
      if entry.verdict == .delivered, entry.left == nil { entry.verdict = .unfinished }
      return entry
    }
  }

  /// The address that the server sees, one for each binding.
  private mutating func publicAddress(of socket: NetworkAddress, _ generation: Int) -> NetworkAddress {
    var address = socket
    if generation > 0 {
      // Above all sockets' own ports, and one for each of 100 sockets and 150 bindings.
      address.port = UInt16(50_000 + Int(socket.port) % 100 * 150 + generation % 150)
      if changesAddress, case .v4(let host) = socket.ip {
        address.ip = .v4(host & ~0xff | UInt32(101 + generation % 100))
      }
    }
    bindings[address] = Binding(socket: socket, generation: generation)
    return address
  }
}
