import HTTPTypes
import Hummingbird
import NIOCore

/// Gives a response's bytes to a closure.
struct ClosureBodyWriter: ResponseBodyWriter {
  let onBytes: @Sendable ([UInt8]) -> Void

  init(_ onBytes: @escaping @Sendable ([UInt8]) -> Void) {
    self.onBytes = onBytes
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    onBytes(Array(buffer.readableBytesView))
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
