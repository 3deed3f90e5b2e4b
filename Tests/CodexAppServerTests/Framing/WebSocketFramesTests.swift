import CodexAppServer
import NIOCore
import NIOEmbedded
import NIOWebSocket
import TestSupport
import Testing

/// A client's pipeline, which gets the bytes of a server.
struct WebSocketFramesTests {
  private static let limit = 1_000

  /// The result of a pipeline's reading.
  private struct Outcome {
    var messages: [String] = []
    var error: AppServerError.Code?
    /// Frames that went to the server, unmasked.
    var sent: [WebSocketFrame] = []
  }

  private static func receive(_ pieces: [[UInt8]], limit: Int = limit) throws -> Outcome {
    let channel = EmbeddedChannel()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    let sync = channel.pipeline.syncOperations
    try sync.addHandler(ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limit)))
    let mask: WebSocketMaskingKey = [1, 2, 3, 4]
    try sync.addHandler(WebSocketMessagesHandler(limit: limit, mask: { mask }))
    channel.embeddedEventLoop.run()
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
    var outcome = Outcome()
    for piece in pieces where outcome.error == nil {
      do {
        try channel.writeInbound(ByteBuffer(bytes: piece))
      } catch {
        outcome.error = (error as? AppServerError)?.code
        #expect(error is AppServerError, "\(error)")
      }
    }
    while let bytes = try channel.readInbound(as: [UInt8].self) {
      outcome.messages.append(String(decoding: bytes, as: UTF8.self))
    }
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
      #expect(frame.maskKey == mask)
      outcome.sent.append(frame)
    }
    return outcome
  }

  /// A frame as a server sends it.
  private static func frame(_ first: UInt8, _ data: [UInt8], claims length: UInt64? = nil) -> [UInt8] {
    let length = length ?? UInt64(data.count)
    let head: [UInt8] =
      switch length {
      case 0..<126: [UInt8(length)]
      case 126..<65_536: [126] + bytes(of: length, 2)
      default: [127] + bytes(of: length, 8)
      }
    return [first] + head + data
  }

  private static func bytes(of number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func framesMakeMessagesHoweverTheyCome() throws {
    let bytes =
      Self.frame(0x81, Self.text("one")) + Self.frame(0x01, Self.text("t")) + Self.frame(0x89, Self.text("p"))
      + Self.frame(0x00, []) + Self.frame(0x00, Self.text("w")) + Self.frame(0x8A, [])
      + Self.frame(0x80, Self.text("o"))
      + Self.frame(0x82, [1, 2]) + Self.frame(0x81, Array(repeating: 0x61, count: 200)) + Self.frame(0x81, [])
    let expected = ["one", "two", String(repeating: "a", count: 200), ""]
    var ways = [[bytes], bytes.map { [$0] }]
    for cut in 1..<bytes.count { ways.append([Array(bytes[..<cut]), Array(bytes[cut...])]) }
    for way in ways {
      let outcome = try Self.receive(way)
      #expect(outcome.messages == expected)
      #expect(outcome.error == nil)
      #expect(outcome.sent.map(\.opcode) == [.pong])
      #expect(outcome.sent.first.map { Array($0.data.readableBytesView) } == Self.text("p"))
    }
  }

  @Test func whatBreaksTheRulesEndsTheConnection() throws {
    let violations: [(String, [UInt8])] = [
      ("masked", [0x81, 0x81, 1, 2, 3, 4, 0x60]), ("rsv1", Self.frame(0xC1, [])), ("rsv2", Self.frame(0xA1, [])),
      ("rsv3", Self.frame(0x91, [])), ("opcode 3", Self.frame(0x83, [])), ("opcode 15", Self.frame(0x8F, [])),
      ("continuation of nothing", Self.frame(0x80, [])),
      ("begins inside", Self.frame(0x01, [0x61]) + Self.frame(0x81, [0x61])),
      ("fragmented ping", Self.frame(0x09, [])), ("ping of 126", Self.frame(0x89, Array(repeating: 0, count: 126))),
      ("no UTF-8", Self.frame(0x81, [0xFF])), ("cut UTF-8", Self.frame(0x81, [0xC3])),
      ("close of one byte", Self.frame(0x88, [3])),
      ("UTF-8 cut by an end", Self.frame(0x01, [0xC3]) + Self.frame(0x80, [])),
      ("length with its highest bit", Self.frame(0x81, [], claims: 1 << 63)),
    ]
    for (name, bytes) in violations {
      for way in [[bytes], bytes.map { [$0] }] {
        let outcome = try Self.receive(way)
        #expect(
          outcome.error == .protocolViolation || name.hasPrefix("length") && outcome.error == .tooLarge, "\(name)")
        #expect(outcome.messages == [], "\(name)")
        #expect(outcome.sent.map(\.opcode) == [.connectionClose], "\(name)")
      }
    }
  }

  @Test func noMessageIsLongerThanTheLimit() throws {
    let full = Array(repeating: UInt8(ascii: "a"), count: Self.limit)
    #expect(try Self.receive([Self.frame(0x81, full)]).messages.count == 1)
    let half = Array(full[..<500])
    #expect(try Self.receive([Self.frame(0x01, half), Self.frame(0x80, half)]).messages.count == 1)
    let ways: [[[UInt8]]] = [
      // Its length alone is enough: no byte of it has come.
      [Self.frame(0x81, [], claims: 1_001)], [Self.frame(0x81, [], claims: 100 << 20)],
      [Self.frame(0x81, [], claims: .max >> 1)],
      [Self.frame(0x01, half), Self.frame(0x00, half), Self.frame(0x80, [0x61])],
      [Self.frame(0x01, full), Self.frame(0x00, [0x61])],
    ]
    for way in ways {
      let outcome = try Self.receive(way)
      #expect(outcome.error == .tooLarge)
      #expect(outcome.sent.map(\.opcode) == [.connectionClose])
    }
  }

  @Test func aHundredMegabytesOfFragmentsAreNotKept() throws {
    var assembler = WebSocketAssembler(limit: 1 << 20)
    let piece = ByteBuffer(repeating: 0x61, count: 64 << 10)
    _ = try assembler.append(WebSocketFrame(fin: false, opcode: .text, data: piece))
    let error = #expect(throws: AppServerError.self) {
      for _ in 0..<1_600 { _ = try assembler.append(WebSocketFrame(fin: false, opcode: .continuation, data: piece)) }
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func aCloseIsAnsweredAndReported() throws {
    for data in [[], [0x03, 0xE8], [0x03, 0xE9] + Self.text("bye\u{1B}")] {
      let outcome = try Self.receive([Self.frame(0x88, data) + Self.frame(0x81, [0x61])])
      #expect(outcome.error == .connectionLost)
      #expect(outcome.sent.map(\.opcode) == [.connectionClose])
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func noBytesTrap(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var ended = 0
    for _ in 0..<300 {
      var bytes = Self.frame(0x01, Self.text("abc")) + Self.frame(0x89, []) + Self.frame(0x80, Self.text("def"))
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if try Self.receive([bytes]).error != nil { ended += 1 }
    }
    #expect(ended > 50, "seed \(seed)")
  }
}
