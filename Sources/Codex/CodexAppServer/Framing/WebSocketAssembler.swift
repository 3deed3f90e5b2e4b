package import NIOCore
package import NIOWebSocket

/// Puts frames of a WebSocket server together to messages (RFC 6455 § 5.4).
///
/// Pure: it takes frames and returns what they make. No message grows beyond its limit, however many frames it has.
package struct WebSocketAssembler {
  /// The result of a frame.
  package enum Outcome: Equatable {
    /// A part of something, or something to be passed over.
    case nothing
    case message([UInt8])
    case ping(ByteBuffer)
    /// The server ends the connection, with its code and reason if it gave them.
    case close(code: UInt16?, reason: String)
  }

  private enum State {
    case between
    case inside(isText: Bool, ByteBuffer)
  }

  private let limit: Int
  private var state = State.between

  package init(limit: Int) {
    self.limit = limit
  }

  /// - Throws: `AppServerError.Code.protocolViolation` or `.tooLarge`; the connection is to be failed then.
  package mutating func append(_ frame: WebSocketFrame) throws(AppServerError) -> Outcome {
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { throw .webSocket("a reserved bit is set (RFC 6455 § 5.2)") }
    guard frame.maskKey == nil else { throw .webSocket("a server's frame is masked (RFC 6455 § 5.1)") }
    switch frame.opcode {
    case .continuation: return try appendContinuation(frame)
    case .text: return try begin(frame, isText: true)
    case .binary: return try begin(frame, isText: false)
    case .ping: return .ping(frame.data)
    case .pong: return .nothing
    case .connectionClose: return try close(frame.data)
    default: throw .webSocket("an unknown kind of frame (RFC 6455 § 5.2)")
    }
  }

  private mutating func begin(_ frame: WebSocketFrame, isText: Bool) throws(AppServerError) -> Outcome {
    guard case .between = state else { throw .webSocket("a message begins inside another one (RFC 6455 § 5.4)") }
    guard frame.data.readableBytes <= limit else { throw AppServerError.tooLarge(limit: limit) }
    guard frame.fin else {
      state = .inside(isText: isText, frame.data)
      return .nothing
    }
    return try finish(frame.data, isText: isText)
  }

  private mutating func appendContinuation(_ frame: WebSocketFrame) throws(AppServerError) -> Outcome {
    guard case .inside(let isText, var bytes) = state else {
      throw .webSocket("a continuation of no message (RFC 6455 § 5.4)")
    }
    // Without it the buffer would be held twice, and copied with each fragment.
    state = .between
    guard frame.data.readableBytes <= limit - bytes.readableBytes else { throw AppServerError.tooLarge(limit: limit) }
    bytes.writeImmutableBuffer(frame.data)
    guard !frame.fin else { return try finish(bytes, isText: isText) }
    state = .inside(isText: isText, bytes)
    return .nothing
  }

  /// Codex sends text alone; binary messages have no meaning.
  private func finish(_ bytes: ByteBuffer, isText: Bool) throws(AppServerError) -> Outcome {
    guard isText else { return .nothing }
    let message = Array(bytes.readableBytesView)
    guard String(validating: message, as: UTF8.self) != nil else {
      throw .webSocket("a text message is not UTF-8 (RFC 6455 § 5.6)")
    }
    return .message(message)
  }

  private func close(_ data: ByteBuffer) throws(AppServerError) -> Outcome {
    var data = data
    guard data.readableBytes > 0 else { return .close(code: nil, reason: "") }
    guard let code = data.readInteger(as: UInt16.self) else {
      throw .webSocket("a close frame of one byte (RFC 6455 § 5.5.1)")
    }
    return .close(code: code, reason: String(decoding: data.readableBytesView, as: UTF8.self))
  }
}
