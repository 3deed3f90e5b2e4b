import Glibc
import NIOCore
import NIOPosix

/// A name server on the loopback address, over UDP and TCP, that answers as a script says.
package struct NameServer: Sendable {
  package typealias Script = @Sendable (NameQuestion) async -> [NameAnswer]

  package let port: UInt16

  /// The server's line in `resolv.conf`.
  package var line: String { "nameserver [127.0.0.1]:\(port)\n" }

  /// - Parameter script: what to send for a question, one datagram each; nothing: the server is silent.
  package static func run<Value: Sendable>(
    _ script: @escaping Script, body: (NameServer) async throws -> Value
  ) async throws -> Value {
    let (datagrams, listener) = try await open(script)
    let result: Result<Value, any Error>
    do {
      result = .success(try await body(NameServer(port: UInt16(datagrams.localAddress?.port ?? 0))))
    } catch {
      result = .failure(error)
    }
    try await datagrams.close()
    try await listener.close()
    return try result.get()
  }

  /// Both on one port number, which the system chooses for UDP and may have given away for TCP.
  private static func open(_ script: @escaping Script) async throws -> (any Channel, any Channel) {
    let group = MultiThreadedEventLoopGroup.singleton
    while true {
      let datagrams = try await DatagramBootstrap(group: group)
        .channelInitializer { $0.pipeline.addHandler(Datagrams(script)) }
        .bind(host: "127.0.0.1", port: 0).get()
      let listener = ServerBootstrap(group: group)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let messages = ByteToMessageHandler(LengthPrefix())
            try channel.pipeline.syncOperations.addHandlers(messages, Streams(script))
          }
        }
        .bind(host: "127.0.0.1", port: datagrams.localAddress?.port ?? 0)
      do {
        return (datagrams, try await listener.get())
      } catch let error as IOError where error.errnoCode == EADDRINUSE {
        try await datagrams.close()
      }
    }
  }

  private final class Datagrams: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let script: Script

    init(_ script: @escaping Script) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let (channel, envelope) = (context.channel, unwrapInboundIn(data))
      guard let question = NameQuestion(Array(buffer: envelope.data), isTCP: false) else { return }
      Task { [script] in
        for answer in await script(question) {
          let bytes = ByteBuffer(bytes: answer.bytes(question))
          channel.writeAndFlush(AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: bytes), promise: nil)
        }
      }
    }
  }

  private final class Streams: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let script: Script

    init(_ script: @escaping Script) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let channel = context.channel
      guard let question = NameQuestion(Array(buffer: unwrapInboundIn(data)), isTCP: true) else { return }
      Task { [script] in
        for answer in await script(question) {
          let bytes = answer.bytes(question)
          var message = ByteBuffer()
          message.writeInteger(UInt16(bytes.count))
          message.writeBytes(bytes)
          channel.writeAndFlush(message, promise: nil)
        }
      }
    }
  }

  private struct LengthPrefix: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
      guard let message = buffer.readLengthPrefixedSlice(as: UInt16.self) else { return .needMoreData }
      context.fireChannelRead(wrapInboundOut(message))
      return .continue
    }
  }
}
