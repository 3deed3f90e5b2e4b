import HTTPTypes
import Hummingbird
import NIOCore
import StreamTransport

/// Counts what its handler writes while the channel takes no more: then it waits before the channel, where no ``WriteProgress``
/// sees it.
struct UntakenBodyWriter: ResponseBodyWriter {
  /// A body of a known length below this is not counted: it goes in one piece with its head.
  private static let small = 16 << 10

  private var base: any ResponseBodyWriter
  private let untaken: SharedBytes
  private let channel: any Channel

  /// A body that counts what is written of it.
  static func counting(_ body: ResponseBody, in untaken: SharedBytes, on channel: any Channel) -> ResponseBody {
    if let length = body.contentLength, length < small { return body }
    return ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(UntakenBodyWriter(base: writer, untaken: untaken, channel: channel))
    }
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    guard buffer.readableBytes >= WriteProgress.quantum, let holder = untaken.join(channel) else {
      return try await base.write(buffer)
    }
    defer { untaken.leave(holder) }
    untaken.set(buffer.readableBytes, of: holder)
    try await base.write(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
