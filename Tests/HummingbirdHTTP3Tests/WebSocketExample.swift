import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import StreamTransport
import Testing

/// The documentation's WebSocket, and SwiftNIO's client. `Tools/check` compares the two.
@Suite("Example: a WebSocket beside a Hummingbird router")
struct WebSocketExample {
  @Test("answers a client of another make", .timeLimit(.minutes(10)))
  func serves() async throws {
    let pem = try DevelopmentCertificate.make()
    let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
    let configuration = MultiProtocolConfiguration(
      certificatePEM: pem.certificatePEM, privateKeyPEM: pem.privateKeyPEM)
    let router = Router()

    let server = MultiProtocolServer(
      responder: router.buildResponder(), configuration: configuration, logger: logger,
      webSocket: { request in
        guard request.head.headerFields[.origin] == "https://example.org" else {
          return .refuse(Response(status: .forbidden))
        }
        return .accept { inbound, outbound in
          for try await message in inbound {
            if case .text(let text) = message { try await outbound.write("You said \(text).") }
          }
        }
      })
    let port = try await server.start()

    let client = try await Self.connect(port, pem.certificatePEM)
    try await client.executeThenClose { inbound, outbound in
      try await outbound.write(Self.frame(.text, "hello"))
      try await outbound.write(Self.frame(.ping, "are you there?"))
      var frames = inbound.makeAsyncIterator()
      let received = [try await frames.next(), try await frames.next()]
      // A pong may overtake a message that is longer in the making.
      #expect(received.contains { $0?.opcode == .text && $0?.unmaskedData == ByteBuffer(string: "You said hello.") })
      #expect(received.contains { $0?.opcode == .pong && $0?.unmaskedData == ByteBuffer(string: "are you there?") })
      try await outbound.write(Self.frame(.connectionClose, ""))
      #expect(try await frames.next()?.opcode == .connectionClose)
    }
    await server.shutdown()
  }

  private static func frame(_ opcode: WebSocketOpcode, _ text: String) -> WebSocketFrame {
    WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(string: text))
  }

  private static func connect(
    _ port: Int, _ certificatePEM: String
  ) async throws -> NIOAsyncChannel<WebSocketFrame, WebSocketFrame> {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)))
    let context = try NIOSSLContext(configuration: tls)
    let upgrader = NIOTypedWebSocketClientUpgrader { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(wrappingChannelSynchronously: channel)
      }
    }
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/socket",
      headers: ["host": "localhost", "origin": "https://example.org", "content-length": "0"])
    let upgraded = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
          return try pipeline.configureUpgradableHTTPClientPipeline(
            configuration: NIOUpgradableHTTPClientPipelineConfiguration(
              upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: {
                  $0.eventLoop.makeFailedFuture(ChannelError.inappropriateOperationForState)
                })))
        }
      }
    return try await upgraded.get()
  }
}
