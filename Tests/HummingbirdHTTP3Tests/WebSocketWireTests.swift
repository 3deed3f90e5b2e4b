import NIOCore
import TestSupport
import Testing

@testable import HummingbirdHTTP3

/// Bytes of clients against the handlers that turn them into messages, in virtual time.
struct WebSocketWireTests {
  struct Attack: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: Int
    let bytes: [UInt8]

    init(_ name: String, _ code: Int, _ frames: ClientFrame...) {
      self.init(name, code, frames.flatMap(\.bytes))
    }

    init(_ name: String, _ code: Int, _ bytes: [UInt8]) {
      testDescription = name
      self.code = code
      self.bytes = bytes
    }
  }

  private static let attacks = [
    Attack("no mask", 1002, ClientFrame(0x81, [65], mask: nil)),
    Attack("first reserved bit", 1002, ClientFrame(0xc1, [65])),
    Attack("second reserved bit", 1002, ClientFrame(0xa1, [65])),
    Attack("third reserved bit of a ping", 1002, ClientFrame(0x99, [65])),
    Attack("unknown data opcode", 1002, ClientFrame(0x83)),
    Attack("unknown control opcode", 1002, ClientFrame(0x8b)),
    Attack("fragmented ping", 1002, ClientFrame(0x09)),
    Attack("fragmented close", 1002, ClientFrame(0x08)),
    Attack("long ping", 1002, ClientFrame(0x89, Array(repeating: 65, count: 126))),
    Attack("ping of which a large length alone comes", 1002, [0x89, 0xff]),
    Attack("text without a mask of which the header alone comes", 1002, [0x81, 0x7e]),
    Attack("unknown opcode alone", 1002, [0x87]),
    Attack("continuation of nothing", 1002, ClientFrame(0x80, [65])),
    Attack("text within a text", 1002, ClientFrame(0x01, [65]), ClientFrame(0x81, [66])),
    Attack("continuation after the end", 1002, ClientFrame(0x01, [65]), ClientFrame(0x80, [66]), ClientFrame(0x80)),
    Attack("text that is no UTF-8", 1007, ClientFrame(0x81, [0xff])),
    Attack("surrogate", 1007, ClientFrame(0x81, [0xed, 0xa0, 0x80])),
    Attack("character that ends early", 1007, ClientFrame(0x01, [0xe2, 0x82]), ClientFrame(0x80)),
    Attack("large frame, of which the length alone comes", 1009, [0x82, 0xff, 0, 0, 0, 0, 0, 0, 4, 1]),
    Attack("length beyond all integers", 1009, [0x82, 0xff] + Array(repeating: 0xff, count: 8)),
    Attack(
      "large message in fragments", 1009, ClientFrame(0x02, Array(repeating: 0, count: 600)),
      ClientFrame(0x80, Array(repeating: 0, count: 600))),
    Attack("close with half a code", 1002, ClientFrame(0x88, [3])),
    Attack("close with a code that is never sent", 1002, .close(1005)),
    Attack("close with a code of nobody", 1002, .close(999)),
    Attack("close with a reason that is no UTF-8", 1007, ClientFrame(0x88, [3, 0xe8, 0xff])),
  ]

  @Test(arguments: attacks, [1, 2, 3]) func brokenRulesAreAnsweredWithTheirCode(
    _ attack: Attack, _ way: Int
  ) async throws {
    try await VirtualPeer.run { (peer) async throws in
      for chunk in VirtualPeer.chunks(attack.bytes, way) { try await peer.send(chunk) }
      #expect(try await peer.frames().map(\.closeCode) == [attack.code])
      #expect(peer.isConnected, "The client has time to read why.")
      // What follows is dropped, until the time is over.
      try await peer.send(.text("more"))
      #expect(try await peer.frames().isEmpty)
      await peer.pass(.seconds(5))
      #expect(!peer.isConnected)
      #expect(try await peer.endOfMessages() == .violation)
    }
  }

  @Test(arguments: [1, 2, 3]) func messagesComeWholeInWhateverPieces(_ way: Int) async throws {
    let large = Array(repeating: UInt8(ascii: "x"), count: 1_000)
    let sent: [ClientFrame] = [
      .text("h\u{e9}llo"), ClientFrame(0x82, large), ClientFrame(0x01, [0xe2]), .ping("in between"), ClientFrame(0x00),
      ClientFrame(0x80, [0x82, 0xac]), ClientFrame(0x81), ClientFrame(0x8a, [1]), .close(1000, "bye"),
    ]
    try await VirtualPeer.run { (peer) async throws in
      for chunk in VirtualPeer.chunks(sent.flatMap(\.bytes), way) { try await peer.send(chunk) }
      let bye = ServerFrame(first: 0x88, payload: [3, 0xe8] + Array("bye".utf8))
      #expect(try await peer.frames() == [.pong("in between"), bye])
      #expect(!peer.isConnected)
      var messages: [WebSocketMessage] = []
      for try await message in peer.inbound() { messages.append(message) }
      #expect(messages == [.text("h\u{e9}llo"), .binary(ByteBuffer(bytes: large)), .text("\u{20ac}"), .text("")])
    }
  }

  /// Random bytes, some of them in sound frames: nothing traps, and what is sent is pongs and at the end one close frame.
  @Test func randomBytesAreAnsweredWithFrames() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<500 {
      let chunks = (0..<8).flatMap { _ in Self.noise(&random) }
      try await VirtualPeer.run { (peer) async throws in
        for chunk in chunks where peer.isConnected { try await peer.send(chunk) }
        let frames = try await peer.frames()
        let closes = frames.filter { $0.first == 0x88 }
        #expect(closes.count <= 1, "seed \(seed), round \(round)")
        #expect(frames.allSatisfy { [0x88, 0x8a].contains($0.first) }, "seed \(seed), round \(round)")
        #expect(closes.isEmpty || closes.last == frames.last, "seed \(seed), round \(round)")
      }
    }
  }

  private static func noise(_ random: inout SeededGenerator) -> [[UInt8]] {
    var bytes: [UInt8] = []
    if random.chance(0.7) {
      let first = UInt8.random(in: 0...255, using: &random) & (random.chance(0.8) ? 0x8f : 0xff)
      let payload = (0..<Int.random(in: 0...140, using: &random)).map { _ in UInt8.random(in: 0...127, using: &random) }
      bytes = ClientFrame(first, payload).bytes
    }
    if random.chance(0.3) {
      bytes += (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    return VirtualPeer.chunks(bytes, Int.random(in: 1...3, using: &random))
  }
}
