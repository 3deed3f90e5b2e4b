import NIOCore
import NIOPosix
import StreamTransport
import Synchronization

/// A proxy on the loopback address that makes tunnels, all of them to one port of this machine.
struct ConnectProxy: Sendable {
  typealias RawChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  let port: Int
  private let log: Log

  /// The heads of the requests that came.
  var requests: [String] { log.heads.withLock { $0 } }

  private final class Log: Sendable {
    let heads = Mutex<[String]>([])
  }

  /// - Parameters:
  ///   - target: the port that tunnels lead to; nil for no tunnel.
  ///   - answer: what is said to CONNECT before bytes are passed on.
  static func run<Value: Sendable>(
    to target: Int?, answer: @escaping @Sendable (_ head: String) -> String = { _ in "HTTP/1.1 200 OK\r\n\r\n" },
    body: (ConnectProxy) async throws -> Value
  ) async throws -> Value {
    let log = Log()
    return try await TestListener.run { _ in
    } serve: { channel, _ in
      try await TestListener.wrap(channel, RawChannel.self).executeThenClose { inbound, outbound in
        var bytes = inbound.makeAsyncIterator()
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
          guard let more = try await bytes.next() else { return }
          head += String(buffer: more)
        }
        log.heads.withLock { $0.append(head) }
        let words = answer(head)
        // A byte at a time, so that the answer is never whole at once.
        for byte in words.utf8 { try await outbound.write(ByteBuffer(bytes: [byte])) }
        guard let target, words.contains(" 200 ") else { return }
        try await pass(&bytes, outbound, to: target)
      }
    } body: { port in
      try await body(ConnectProxy(port: port, log: log))
    }
  }

  private static func pass(
    _ bytes: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, to port: Int
  ) async throws {
    let far = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture { try RawChannel(wrappingChannelSynchronously: channel) }
      }
    try await far.executeThenClose { answers, requests in
      async let back: Void = {
        for try await answer in answers { try await outbound.write(answer) }
        outbound.finish()
      }()
      while let more = try await bytes.next() { try await requests.write(more) }
      requests.finish()
      try? await back
    }
  }
}
