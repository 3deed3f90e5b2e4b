import CodexAppServer
import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ResolveKitCore
import TestSupport
import Testing

/// A connection over a real socket, to a server of the test's own.
struct WebSocketConnectionTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Answers each text frame by what the closure makes of it.
  private final class Answering: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    let answer: @Sendable (String) -> [WebSocketFrame]

    init(answer: @escaping @Sendable (String) -> [WebSocketFrame]) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      #expect(frame.maskKey != nil)
      switch frame.opcode {
      case .text:
        for frame in answer(String(decoding: frame.unmaskedData.readableBytesView, as: UTF8.self)) {
          context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }
      default: break
      }
    }
  }

  /// Says one thing to any client, and then ends.
  private final class Saying: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let answer: String

    init(answer: String) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in channel.close(promise: nil)
      }
    }
  }

  /// Serves a socket while `body` runs.
  private static func withServer(
    answer: @escaping @Sendable (String) -> [WebSocketFrame], _ body: (String) async throws -> Void
  ) async throws {
    let path = "/tmp/agent-stream-test-\(UInt64.random(in: 0 ... .max))"
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: 16 << 20,
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answering(answer: answer))
        }
      })
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.pipeline.configureHTTPServerPipeline(withServerUpgrade: ([upgrader], { _ in }))
      }
      .bind(unixDomainSocketPath: path).get()
    defer { unlink(path) }
    do {
      try await body(path)
    } catch {
      try? await server.close()
      throw error
    }
    try await server.close()
  }

  private static func text(_ text: String) -> WebSocketFrame {
    WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
  }

  @Test func aCallGoesThroughTheSocket() async throws {
    try await Self.withServer { _ in
      [
        WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(string: #"{"method":"warning","#)),
        WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: "p")),
        WebSocketFrame(fin: true, opcode: .continuation, data: ByteBuffer(string: #""params":{"message":"m"}}"#)),
        WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(string: "{}")),
        Self.text(#"{"id":1,"result":{"userAgent":"a/0.163.0 x"}}"#),
      ]
    } _: { path in
      let connection = try await AppServerConnection.connect(toSocket: path, logger: Self.logger)
      #expect(try await connection.call("a") == ["userAgent": "a/0.163.0 x"])
      var events = connection.events.makeAsyncIterator()
      guard case .notification(let notification) = try await events.next() else {
        Issue.record("no notification")
        return
      }
      #expect(notification.method == "warning" && notification.params == ["message": "m"])
      connection.close()
      await connection.waitForEnd()
      #expect(try await events.next() == nil)
    }
  }

  @Test func aLongMessageGoesBothWays() async throws {
    let long = String(repeating: "é", count: 2 << 20)
    try await Self.withServer { heard in
      guard case .request(_, _, let params)? = try? AppServerMessage(parsing: Array(heard.utf8)) else { return [] }
      return [Self.text(#"{"id":1,"result":\#(params.jsonText)}"#)]
    } _: { path in
      let connection = try await AppServerConnection.connect(toSocket: path, logger: Self.logger)
      defer { connection.close() }
      #expect(try await connection.call("a", .string(long)) == .string(long))
    }
  }

  @Test func whatBreaksTheRulesEndsTheConnection() async throws {
    try await Self.withServer { _ in
      [WebSocketFrame(fin: true, opcode: .continuation, data: ByteBuffer(string: "x"))]
    } _: { path in
      let connection = try await AppServerConnection.connect(toSocket: path, logger: Self.logger)
      let error = await #expect(throws: AppServerError.self) { try await connection.call("a") }
      #expect(error?.code == .protocolViolation)
      await connection.waitForEnd()
    }
  }

  @Test func aSocketWithoutServerIsUnreachable() async throws {
    let path = "/tmp/agent-stream-test-\(UInt64.random(in: 0 ... .max))"
    let nobody = await #expect(throws: AppServerError.self) {
      try await AppServerConnection.connect(toSocket: path, logger: Self.logger)
    }
    #expect(nobody?.code == .unreachable)
    let tooLong = await #expect(throws: AppServerError.self) {
      try await AppServerConnection.connect(toSocket: "/tmp/" + String(repeating: "x", count: 200), logger: Self.logger)
    }
    #expect(tooLong?.code == .unreachable)
  }

  @Test(arguments: [
    "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n", "{\"id\":1}\n",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: x\r\n\r\n",
    "",
  ])
  func distinguishesWhatIsNoAppServer(answer: String) async throws {
    let path = "/tmp/agent-stream-test-\(UInt64.random(in: 0 ... .max))"
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Saying(answer: answer))
        }
      }
      .bind(unixDomainSocketPath: path).get()
    defer { unlink(path) }
    let error = await #expect(throws: AppServerError.self) {
      try await AppServerConnection.connect(toSocket: path, logger: Self.logger)
    }
    #expect(error?.code == .protocolViolation)
    try await server.close()
  }

  @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
    let path = "/tmp/agent-stream-test-\(UInt64.random(in: 0 ... .max))"
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(unixDomainSocketPath: path).get()
    defer { unlink(path) }
    let error = await #expect(throws: AppServerError.self) {
      try await AppServerConnection.connect(toSocket: path, within: .milliseconds(20), logger: Self.logger)
    }
    #expect(error?.code == .timedOut)
    try await server.close()
  }
}
