import HTTPTypes
import Hummingbird
import NIOCore

/// Counts what another writer takes.
struct CountingBodyWriter: ResponseBodyWriter {
  private var base: any ResponseBodyWriter
  private let traffic: ExchangeTraffic

  /// A body that counts what is written of it, from the moment at which its response's head was sent.
  static func counting(_ body: ResponseBody, into traffic: ExchangeTraffic) -> ResponseBody {
    ResponseBody(contentLength: body.contentLength) { writer in
      traffic.begin()
      try await body.write(CountingBodyWriter(base: writer, traffic: traffic))
    }
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await base.write(buffer)
    traffic.send(buffer.readableBytes)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
