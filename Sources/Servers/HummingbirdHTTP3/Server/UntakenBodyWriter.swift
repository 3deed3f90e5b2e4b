import HTTPTypes
import Hummingbird
import NIOCore
import StreamTransport

/// Counts what its handler writes while the channel takes no more: then it waits before the channel, where no ``WriteProgress``
/// sees it.
struct UntakenBodyWriter: ResponseBodyWriter {
  private var base: any ResponseBodyWriter
  private let untaken: SharedBytes
  private let holder: SharedBytes.Holder

  /// A body that counts what is written of it.
  static func counting(_ body: ResponseBody, in untaken: SharedBytes, on channel: any Channel) -> ResponseBody {
    if let length = body.contentLength, length < WriteProgress.quantum { return body }
    return ResponseBody(contentLength: body.contentLength) { writer in
      guard let holder = untaken.join(channel) else { return try await body.write(writer) }
      defer { untaken.leave(holder) }
      try await body.write(UntakenBodyWriter(base: writer, untaken: untaken, holder: holder))
    }
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    guard buffer.readableBytes >= WriteProgress.quantum else { return try await base.write(buffer) }
    defer { untaken.set(0, of: holder) }
    untaken.set(buffer.readableBytes, of: holder)
    try await base.write(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
