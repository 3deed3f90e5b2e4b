import EnginePair
import HTTP3Engine
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
    /// The counts of victims' endings, by the error's text.
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
      pair.client.raw?.changePackets(change)
      pair.onServer = { ending.note($1) }
    } else {
      pair.onClient = { ending.note($0) }
      pair.onConnection = { $0.raw?.changePackets(change) }
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

  /// Sends this many packets with CRYPTO frames behind handshakes.
  package mutating func sendMessages(_ count: Int) {
    var rest = count
    while rest > 0 {
      let attacksServer = Int.random(in: 0..<4, using: &random) == 0
      guard
        let pair = try? QUICPair.fuzzed(
          FuzzedOpening(attacksServer ? 0 : 1), seed: random.next(), rawSide: attacksServer ? .client : .server),
        let attack = try? RawAttack(on: pair, attacksServer: attacksServer)
      else { fatalError("no handshake") }
      tally.connections += 1
      var sender = CryptoSender(mayGoOn: !attacksServer, random: SeededGenerator(seed: random.next()))
      while rest > 0, attack.verdict == nil, sender.isUseful {
        for _ in 0..<min(10, rest) {
          attack.send(frames: sender.nextPacket())
          rest -= 1
          tally.messages += 1
        }
        run(pair, .milliseconds(50))
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

/// The frames of packets in which a peer continues with its CRYPTO stream of 1-RTT packets, which begins at 0.
private struct CryptoSender {
  /// Whether there are messages that the victim takes.
  private let mayGoOn: Bool
  private var random: SeededGenerator
  private var offset = 0
  private var sent = 0
  /// Frames that are due, of which each goes alone or with the next ones.
  private var due: [[UInt8]] = []

  /// The frames' carrier is never credited, and its window has 256 KiB.
  var isUseful: Bool { sent < 200 << 10 }

  init(mayGoOn: Bool, random: SeededGenerator) {
    self.mayGoOn = mayGoOn
    self.random = random
  }

  mutating func nextPacket() -> [UInt8] {
    if due.isEmpty { refill() }
    var packet: [UInt8] = []
    repeat {
      let frame = due.removeFirst()
      guard packet.count + frame.count <= 900 else {
        due.insert(frame, at: 0)
        break
      }
      packet += frame
    } while !due.isEmpty && Bool.random(using: &random)
    sent += packet.count
    return packet
  }

  private mutating func refill() {
    switch Int.random(in: 0..<1_000, using: &random) {
    case 0..<2: due = [frame(at: offset, hostileMessage())]
    case 2..<300: due = [strayFrame()]
    case _ where !mayGoOn: due = [strayFrame()]
    default:
      // One or two tickets in pieces, some of them twice and in any order.
      let bytes = ticket() + (Bool.random(using: &random) ? ticket() : [])
      var cuts = (0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random)
      }
      cuts = ([0, bytes.count] + cuts).sorted()
      due = zip(cuts, cuts.dropFirst()).map { frame(at: offset + $0, Array(bytes[$0..<$1])) }
      if let again = due.randomElement(using: &random) { due.append(again) }
      if Bool.random(using: &random) { due.shuffle(using: &random) }
      offset += bytes.count
    }
  }

  private func frame(at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    [6] + VariableLengthInteger.bytes(of: UInt64(offset)) + VariableLengthInteger.bytes(of: UInt64(bytes.count)) + bytes
  }

  /// Without bytes, or of the past, or, to one that takes none, a byte that waits for others.
  private mutating func strayFrame() -> [UInt8] {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: frame(at: Int.random(in: 0..<1 << 30, using: &random), [])
    case 1 where offset > 0:
      frame(at: Int.random(in: 0..<offset, using: &random), [UInt8.random(in: 0...255, using: &random)])
    case 1 where !mayGoOn: frame(at: 1 + Int.random(in: 0..<30, using: &random) * 2, [24])
    default: [1] + frame(at: 0, [])
    }
  }

  /// NewSessionTicket (RFC 8446 § 4.6.1), well-formed.
  private mutating func ticket() -> [UInt8] {
    let nonce = bytes(Int.random(in: 0...8, using: &random))
    let ticket = bytes(Int.random(in: 1...60, using: &random))
    let extensions: [UInt8] = Bool.random(using: &random) ? [0, 42, 0, 4, 255, 255, 255, 255] : []
    let body: [UInt8] =
      [0, 0, 28, 32] + bytes(4) + [UInt8(nonce.count)] + nonce + [0, UInt8(ticket.count)] + ticket
      + [0, UInt8(extensions.count)] + extensions
    return [4, 0, 0, UInt8(body.count)] + body
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
