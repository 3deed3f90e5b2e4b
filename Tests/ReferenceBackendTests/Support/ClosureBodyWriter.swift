import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport

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

/// Takes nothing until its task is cancelled.
struct StuckBodyWriter: ResponseBodyWriter {
  mutating func write(_ buffer: ByteBuffer) async throws { try await waitForCancellation() }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Gives a response's bytes to a closure, and none before its gate opens.
struct SlowBodyWriter: ResponseBodyWriter {
  let gate: Gate
  let onBytes: @Sendable ([UInt8]) -> Void

  init(gate: Gate, _ onBytes: @escaping @Sendable ([UInt8]) -> Void) {
    self.gate = gate
    self.onBytes = onBytes
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    await gate.wait()
    onBytes(Array(buffer.readableBytesView))
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
