import EnginePair
package import HTTP3Engine
import LinkModel

/// TLS bytes of a peer that forges them, sealed with the connection's real keys: whole handshakes, and messages behind the
/// handshake on connections that are kept as long as they last.
///
/// The libraries are built without instrumentation, so that a fuzzer that is led by coverage would learn nothing of them:
/// inputs are drawn by a seed, and their number counts.
package struct CryptoCampaign {
  package struct Tally: Sendable {
    package var handshakes = 0
    package var completed = 0
    package var messages = 0
    package var connections = 0
    /// How victims ended, by the error's text.
    package var endings: [String: Int] = [:]
  }

  package private(set) var tally = Tally()
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  // MARK: Handshakes

  /// One handshake in which one side changes the bytes of some packets.
  package mutating func shakeHands() {
    let attacksServer = Bool.random(using: &random)
    // Of one in four the past is a ticket, and one in eight begins with Retry.
    var byte: UInt8 = attacksServer ? 0 : 1
    if Int.random(in: 0..<4, using: &random) == 0 { byte |= 2 << 1 }
    if Int.random(in: 0..<8, using: &random) == 0 { byte |= 8 }
    let opening = FuzzedOpening(byte)
    guard
      let pair = try? QUICPair.fuzzed(
        opening, seed: random.next(), rawSide: attacksServer ? .client : .server)
    else { fatalError("no pair") }
    let change = makeChange()
    let ending = Ending()
    if attacksServer {
      pair.client.changePackets(change)
      pair.onServer = { ending.note($1) }
    } else {
      pair.onClient = { ending.note($0) }
      pair.onConnection = { $0.changePackets(change) }
    }
    run(pair, .seconds(1))
    tally.handshakes += 1
    if ending.isComplete { tally.completed += 1 }
    tally.endings[ending.text, default: 0] += 1
  }

  private final class Ending {
    private(set) var isComplete = false
    private(set) var text = "lives"

    func note(_ event: HTTP3Event) {
      switch event {
      case .handshakeCompleted: isComplete = true
      case .closed(let error): text = "\(error.side): \(error.code)"
      default: break
      }
    }
  }

  /// Changes bytes in one to three of the first packets that hold TLS messages.
  private mutating func makeChange() -> (UInt8, UnsafeMutableRawBufferPointer) -> Void {
    var random = SeededGenerator(seed: random.next())
    var left = Int.random(in: 1...3, using: &random)
    return { first, payload in
      // A long header: Initial and Handshake packets of version 1.
      guard first & 0x80 != 0, left > 0, Int.random(in: 0..<3, using: &random) != 0 else { return }
      left -= 1
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Where the frames are; what follows is padding.
        let used = min(payload.count, 700)
        let index = Int.random(in: 0..<used, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: payload[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: payload[index] = [0, 1, 4, 5, 8, 11, 13, 15, 20, 24, 254, 255].randomElement(using: &random) ?? 0
        case 2: payload[index] = UInt8.random(in: 0...255, using: &random)
        case 3:
          // Moves a run of bytes.
          let count = Int.random(in: 1...min(64, payload.count - index), using: &random)
          let source = Int.random(in: 0...payload.count - count, using: &random)
          let bytes = Array(payload[source..<source + count])
          for (offset, byte) in bytes.enumerated() { payload[index + offset] = byte }
        default:
          // A length, or a number of an extension.
          payload[index] = 0
          if index + 1 < payload.count { payload[index + 1] &+= UInt8.random(in: 0...4, using: &random) }
        }
      }
    }
  }

  // MARK: Messages behind the handshake

  /// As many messages, or pieces of them, behind handshakes.
  package mutating func sendMessages(_ count: Int) {
    var rest = count
    while rest > 0 {
      let attacksServer = Int.random(in: 0..<4, using: &random) == 0
      guard let pair = try? QUICPair.fuzzed(
        FuzzedOpening(attacksServer ? 0 : 1), seed: random.next(), rawSide: attacksServer ? .client : .server),
        let attack = try? RawAttack(on: pair, attacksServer: attacksServer)
      else { fatalError("no handshake") }
      tally.connections += 1
      pair.timeLimit = Timestamp(nanoseconds: .max)
      var sender = CryptoSender(offset: attacksServer ? 0 : nil, random: SeededGenerator(seed: random.next()))
      while rest > 0, attack.verdict == nil, attack.peer?.isClosed == false, sender.isUseful {
        for _ in 0..<min(20, rest) {
          sender.sendNext(attack)
          rest -= 1
          tally.messages += 1
        }
        run(pair, .milliseconds(60))
      }
      tally.endings[attack.verdict.map { "\($0.side): \($0.code)" } ?? "left", default: 0] += 1
    }
  }

  private func run(_ pair: QUICPair, _ span: Duration) {
    do {
      try pair.run(for: span)
    } catch {
      fatalError("\(error)")
    }
  }
}

/// What a peer writes into its CRYPTO stream of 1-RTT packets.
private struct CryptoSender {
  /// Where the stream is, where frames are written by hand; nil has the library write them.
  private let offset: Int?
  private var random: SeededGenerator
  private var sent = 0
  /// After some thousand messages another connection's keys are of more use.
  var isUseful: Bool { sent < 4_000 }

  init(offset: Int?, random: SeededGenerator) {
    self.offset = offset
    self.random = random
  }

  mutating func sendNext(_ attack: RawAttack) {
    sent += 1
    guard Int.random(in: 0..<1_000, using: &random) >= 4 else {
      return attack.peer?.sendCrypto(hostileMessage()) ?? ()
    }
    if offset != nil || Int.random(in: 0..<8, using: &random) == 0 {
      attack.send(frames: (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in frame() })
    } else {
      // In pieces, between which packets of other things go.
      let ticket = ticket()
      let cut = Int.random(in: 0...ticket.count, using: &random)
      attack.peer?.sendCrypto(Array(ticket[..<cut]))
      if Bool.random(using: &random) { attack.send(frames: [1]) }
      attack.peer?.sendCrypto(Array(ticket[cut...]))
    }
  }

  /// CRYPTO frames of the past, without bytes, and ahead of what is known.
  private mutating func frame() -> [UInt8] {
    let isAhead = offset == nil && sent > 100 ? false : Int.random(in: 0..<3, using: &random) == 0
    let place = isAhead ? 1 + Int.random(in: 0..<30, using: &random) * 2 : 0
    let count = isAhead ? 1 : 0
    return VariableLengthInteger.bytes(of: 6) + VariableLengthInteger.bytes(of: UInt64(place))
      + VariableLengthInteger.bytes(of: UInt64(count)) + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// NewSessionTicket (RFC 8446 § 4.6.1), well-formed.
  private mutating func ticket() -> [UInt8] {
    let nonce = bytes(Int.random(in: 0...8, using: &random))
    let ticket = bytes(Int.random(in: 1...300, using: &random))
    let hasEarlyData = Bool.random(using: &random)
    let extensions: [UInt8] = hasEarlyData ? [0, 42, 0, 4, 255, 255, 255, 255] : []
    let body: [UInt8] =
      [0, 0, 28, 32] + bytes(4) + [UInt8(nonce.count)] + nonce
      + [UInt8(ticket.count >> 8), UInt8(ticket.count & 255)] + ticket + [0, UInt8(extensions.count)] + extensions
    return [4, 0, UInt8(body.count >> 8), UInt8(body.count & 255)] + body
  }

  private mutating func hostileMessage() -> [UInt8] {
    var message = ticket()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return [24, 0, 0, 1, UInt8.random(in: 0...2, using: &random)]
    case 1: return [UInt8.random(in: 0...255, using: &random), 0, 0, 4] + bytes(4)
    case 2: return [4, 0xff, 0xff, 0xff] + bytes(20)
    case 3:
      message[Int.random(in: message.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return message
    case 4: return Array(message.dropLast(Int.random(in: 1...message.count - 5, using: &random))) + ticket()
    default: return message + [24, 0, 0, 1, 0]
    }
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
}
