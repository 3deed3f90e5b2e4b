public import NIOCore
import NIOWebSocket

/// Sends messages to a client, from any task.
public struct WebSocketOutbound: Sendable {
  let channel: NIOLoopBound<WebSocketChannelHandler>
  let eventLoop: any EventLoop

  /// Sends a text; returns once the client's connection has taken it, so that a slow client slows its writer.
  /// Throws ``WebSocketError``.
  public func write(_ text: String) async throws {
    try await write(.text, ByteBuffer(string: text))
  }

  /// Sends bytes, as ``write(_:)-(String)``.
  public func write(_ bytes: ByteBuffer) async throws {
    try await write(.binary, bytes)
  }

  /// Sends a close frame. Later writes throw, no more messages are read, and the connection is closed when the client
  /// answers, or after ``WebSocketLimits/closeTimeout``.
  ///
  /// - Parameters:
  ///   - code: one that no close frame may carry (RFC 6455 § 7.4.1) is sent as 1011.
  ///   - reason: for the client's log; what is longer than 123 bytes is cut off.
  public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
    let closure = WebSocketClosure(code, reason)
    eventLoop.execute { channel.value.close(closure) }
  }

  private func write(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) async throws {
    try await eventLoop.flatSubmit { channel.value.write(opcode, payload) }.get()
  }
}
