import Foundation
import LinkEmulator

/// Whether a server answers: a packet of a version that nobody has must be answered with Version Negotiation
/// (RFC 9000 § 6.1). It is sent from the server's own namespace, so that the link and its counts see nothing of it.
struct ReadinessProbe {
  static let port: UInt16 = 443
  /// Reserved for exercising version negotiation (RFC 9000 § 15).
  static let version: [UInt8] = [0x1A, 0x2A, 0x3A, 0x4A]

  private let socket: ProbeSocket
  private let sourceID: [UInt8]
  private let destinationID: [UInt8]

  init(on link: EmulatedLink) throws {
    socket = try link.run(on: .server) { () throws(EmulatorError) in
      let socket = try ProbeSocket(.udp)
      try socket.connect(LinkSide.server.address, port: ReadinessProbe.port)
      try socket.setTimeout(milliseconds: 100)
      return socket
    }
    sourceID = (0..<8).map { _ in UInt8.random(in: 0...255) }
    destinationID = (0..<8).map { _ in UInt8.random(in: 0...255) }
  }

  /// Asks once; waits for up to 100 ms.
  func isAnswered() -> Bool {
    let packet = Self.packet(destinationID: destinationID, sourceID: sourceID)
    guard packet.withUnsafeBytes({ socket.send($0) }) == packet.count else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 2_048, alignment: 8) { buffer in
      // A server may answer with more than one packet, and to more than one of ours.
      for _ in 0..<8 {
        let length = socket.receive(buffer)
        guard length > 0 else { return false }
        if Self.isAnswer([UInt8](buffer[..<length]), destinationID: destinationID, sourceID: sourceID) { return true }
      }
      return false
    }
  }

  /// A packet of an Initial's least size, for servers answer nothing shorter (RFC 9000 § 6.1).
  static func packet(destinationID: [UInt8], sourceID: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0xC0] + version
    bytes += [UInt8(destinationID.count)] + destinationID + [UInt8(sourceID.count)] + sourceID
    // An Initial's empty token and its length: one peer reads so far before it looks at the version.
    let rest = 1_200 - bytes.count - 3
    bytes += [0, 0x40 | UInt8(rest >> 8), UInt8(rest & 0xFF)]
    return bytes + [UInt8](repeating: 0, count: rest)
  }

  /// Version Negotiation with our connection IDs the other way round (RFC 9000 § 17.2.1).
  static func isAnswer(_ bytes: [UInt8], destinationID: [UInt8], sourceID: [UInt8]) -> Bool {
    guard bytes.count >= 7, bytes[0] & 0x80 != 0, bytes[1..<5].allSatisfy({ $0 == 0 }) else { return false }
    let ids = [UInt8(sourceID.count)] + sourceID + [UInt8(destinationID.count)] + destinationID
    return bytes.dropFirst(5).starts(with: ids)
  }
}
