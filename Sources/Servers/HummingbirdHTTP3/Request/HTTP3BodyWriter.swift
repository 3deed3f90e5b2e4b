import HTTPTypes
import Hummingbird
import NIOCore
import StreamTransport

/// Writes a response's body to an HTTP/3 stream; each write waits while too much is on its way to the peer.
struct HTTP3BodyWriter: ResponseBodyWriter {
  let exchange: HTTP3ServerExchange
  let traffic: ExchangeTraffic?

  mutating func write(_ buffer: ByteBuffer) async throws {
    guard buffer.readableBytes > 0 else { return }
    try await exchange.write(Array(buffer.readableBytesView))
    traffic?.send(buffer.readableBytes)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await exchange.finish(trailers: trailingHeaders)
  }
}
