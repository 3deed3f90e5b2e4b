import LinkModel

/// A run's packet log, a column for each field; fields that are nearly constant are stored as exceptions.
struct PacketColumns: Codable {
  /// From the number of the packet before, the first from 0.
  var number: [Int] = []
  var bytes: [Int] = []
  var entered: [Int64] = []
  var due: [Int64?] = []
  var left: [Int64?] = []
  var queuedBytes: [Int] = []
  /// A letter a packet: c toward the client, s toward the server.
  var direction = ""
  /// A letter a packet: u UDP, t TCP, o other.
  var transport = ""
  /// The rows whose verdict is not `delivered` or whose cause is not `none`.
  var verdicts: [String: [Int]] = [:]
  var causes: [String: [Int]] = [:]

  init(_ packets: [PacketLogEntry], start: Int64) {
    var previous = (number: 0, entered: start)
    for (row, packet) in packets.enumerated() {
      number.append(packet.number &- previous.number)
      bytes.append(packet.bytes)
      entered.append(packet.entered &- previous.entered)
      due.append(packet.due.map { $0 &- packet.entered })
      left.append(packet.left.map { $0 &- (packet.due ?? packet.entered) })
      queuedBytes.append(packet.queuedBytes)
      direction.append(packet.direction == .toClient ? "c" : "s")
      switch packet.transport {
      case .udp: transport.append("u")
      case .tcp: transport.append("t")
      case .other: transport.append("o")
      }
      if packet.verdict != .delivered { verdicts[packet.verdict.rawValue, default: []].append(row) }
      if packet.cause != .none { causes[packet.cause.rawValue, default: []].append(row) }
      previous = (packet.number, packet.entered)
    }
  }

  func rows(start: Int64) throws(FileError) -> [PacketLogEntry] {
    let directions = Array(direction.utf8)
    let transports = Array(transport.utf8)
    let lengths = [
      number.count, bytes.count, entered.count, due.count, left.count, queuedBytes.count, directions.count,
      transports.count,
    ]
    guard Set(lengths).count == 1 else { throw FileError("the columns of 'packets' are of different lengths") }
    var packets: [PacketLogEntry] = []
    packets.reserveCapacity(number.count)
    var previous = (number: 0, entered: start)
    for row in number.indices {
      let now = (number: previous.number &+ number[row], entered: previous.entered &+ entered[row])
      let dueAt = due[row].map { now.entered &+ $0 }
      packets.append(
        PacketLogEntry(
          number: now.number, direction: try Self.direction(directions[row]),
          transport: try Self.transport(transports[row]), bytes: bytes[row], entered: now.entered, due: dueAt,
          left: left[row].map { (dueAt ?? now.entered) &+ $0 }, verdict: .delivered, queuedBytes: queuedBytes[row]))
      previous = now
    }
    for (name, rows) in verdicts {
      guard let verdict = PacketLogEntry.Verdict(rawValue: name) else { throw FileError("no verdict is '\(name)'") }
      for row in try Self.checked(rows, count: packets.count) { packets[row].verdict = verdict }
    }
    for (name, rows) in causes {
      guard let cause = PacketLogEntry.Cause(rawValue: name) else { throw FileError("no cause is '\(name)'") }
      for row in try Self.checked(rows, count: packets.count) { packets[row].cause = cause }
    }
    return packets
  }

  private static func direction(_ letter: UInt8) throws(FileError) -> LinkDirection {
    switch letter {
    case UInt8(ascii: "c"): .toClient
    case UInt8(ascii: "s"): .toServer
    default: throw FileError("a packet's direction is neither c nor s")
    }
  }

  private static func transport(_ letter: UInt8) throws(FileError) -> PacketLogEntry.TransportProtocol {
    switch letter {
    case UInt8(ascii: "u"): .udp
    case UInt8(ascii: "t"): .tcp
    case UInt8(ascii: "o"): .other
    default: throw FileError("a packet's transport is none of u, t and o")
    }
  }

  private static func checked(_ rows: [Int], count: Int) throws(FileError) -> [Int] {
    guard rows.allSatisfy({ 0..<count ~= $0 }) else { throw FileError("there is no such packet as one that is named") }
    return rows
  }
}
