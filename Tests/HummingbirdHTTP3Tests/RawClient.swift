import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

/// A client that sends any bytes, over TLS or in its place, and reads what comes.
final class RawClient {
  /// The fields of a sound request for a WebSocket, the key being RFC 6455's own example.
  static let fields = [
    "host: localhost", "upgrade: websocket", "connection: keep-alive, Upgrade", "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  let channel: any Channel
  private var incoming: AsyncStream<ByteBuffer>.Iterator
  private var bytes = ByteBuffer()

  init(
    _ port: Int, protocols: [String] = [], receiveBuffer: Int? = nil, source: String = "127.0.0.1",
    overTLS: Bool = true,
    identity: TestAuthority.Issued? = nil
  ) async throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    configuration.applicationProtocols = protocols
    if let identity {
      configuration.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
        .map { .certificate($0) }
      configuration.privateKey = .privateKey(
        try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem))
    }
    let tls = try NIOSSLContext(configuration: configuration)
    let (stream, sink) = AsyncStream<ByteBuffer>.makeStream()
    var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(to: try SocketAddress(ipAddress: source, port: 0))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if overTLS { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
          try pipeline.addHandler(Collector(sink))
        }
      }
    if let receiveBuffer {
      bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
    }
    channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
    incoming = stream.makeAsyncIterator()
  }

  func send(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
  }

  func send(_ frames: ClientFrame...) async throws {
    try await send(frames.flatMap(\.bytes))
  }

  /// Sends a request head and the bytes behind it.
  func request(_ line: String = "GET /socket HTTP/1.1", _ fields: [String] = fields, behind: [UInt8] = []) async throws
  {
    try await send(Array(([line] + fields + ["", ""]).joined(separator: "\r\n").utf8) + behind)
  }

  /// Opens a WebSocket.
  static func webSocket(_ port: Int, receiveBuffer: Int? = nil) async throws -> RawClient {
    let client = try await RawClient(port, receiveBuffer: receiveBuffer)
    try await client.request()
    let head = try await client.head()
    #expect(head.hasPrefix("HTTP/1.1 101 "))
    return client
  }

  /// A response's head.
  func head() async throws -> String {
    while true {
      let head = Array(bytes.readableBytesView)
      if let end = head.firstRange(of: Array("\r\n\r\n".utf8)) {
        bytes.moveReaderIndex(forwardBy: end.upperBound)
        return String(decoding: head[..<end.lowerBound], as: UTF8.self)
      }
      try await more()
    }
  }

  /// The stream of HTTP/2 that is reset next (RFC 9113 § 6.4); other frames are passed over.
  func resetStream() async throws -> UInt8 {
    while true {
      let frame = try await frameOfHTTP2()
      if frame.type == 3 { return frame.stream }
    }
  }

  /// The content that comes on a stream of HTTP/2 up to its end (RFC 9113 § 6.1); other frames are passed over.
  func content(of stream: UInt8) async throws -> [UInt8] {
    var content: [UInt8] = []
    while true {
      let frame = try await frameOfHTTP2()
      guard frame.stream == stream, frame.type < 2 else { continue }
      if frame.type == 0 { content += frame.payload }
      if frame.flags & 1 == 1 { return content }
    }
  }

  private func frameOfHTTP2() async throws -> (type: UInt8, flags: UInt8, stream: UInt8, payload: [UInt8]) {
    while true {
      let header = Array(bytes.readableBytesView.prefix(9))
      let length = header.prefix(3).reduce(0) { $0 << 8 | Int($1) }
      guard header.count == 9, bytes.readableBytes >= 9 + length else {
        try await more()
        continue
      }
      bytes.moveReaderIndex(forwardBy: 9)
      return (header[3], header[4], header[8], bytes.readBytes(length: length) ?? [])
    }
  }

  /// The next frame; nil if the connection ends before.
  func frame() async -> ServerFrame? {
    while true {
      if let frame = ServerFrame(from: &bytes) { return frame }
      guard (try? await more()) != nil else { return nil }
    }
  }

  /// All that comes before the connection ends.
  func rest() async -> [UInt8] {
    while (try? await more()) != nil {}
    return Array(bytes.readableBytesView)
  }

  /// Stops reading, so that the server cannot write for ever.
  func stopReading() async throws {
    try await channel.setOption(.autoRead, value: false).get()
  }

  func close() async {
    try? await channel.close().get()
  }

  private func more() async throws {
    guard var next = await incoming.next() else { throw ChannelError.eof }
    bytes.writeBuffer(&next)
  }
}

private final class Collector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let sink: AsyncStream<ByteBuffer>.Continuation

  init(_ sink: AsyncStream<ByteBuffer>.Continuation) {
    self.sink = sink
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    sink.yield(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) {
    sink.finish()
  }

  // A server that ends without close_notify is of no interest here.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    sink.finish()
    context.close(promise: nil)
  }
}
