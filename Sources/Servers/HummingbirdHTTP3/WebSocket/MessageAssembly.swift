import NIOCore
import NIOWebSocket

/// Makes messages out of data frames (RFC 6455 § 5.4).
struct MessageAssembly {
  private struct Unfinished {
    let isText: Bool
    var bytes = ByteBuffer()
  }

  let maximumSize: Int
  private var unfinished: Unfinished?

  init(maximumSize: Int) {
    self.maximumSize = max(maximumSize, 0)
  }

  var isUnfinished: Bool { unfinished != nil }

  /// Takes a frame of text, of bytes, or a continuation; answers the message that it completes.
  mutating func take(_ frame: WebSocketFrame) throws(WebSocketClosure) -> WebSocketMessage? {
    var message = try begun(by: frame)
    // Held once, so that its bytes grow in place.
    unfinished = nil
    var payload = frame.unmaskedData
    guard payload.readableBytes <= maximumSize - message.bytes.readableBytes else {
      throw WebSocketClosure(.messageTooBig, "A message has at most \(maximumSize) bytes.")
    }
    message.bytes.writeBuffer(&payload)
    guard frame.fin else {
      unfinished = message
      return nil
    }
    guard message.isText else { return .binary(message.bytes) }
    guard let text = String(validating: message.bytes.readableBytesView, as: UTF8.self) else {
      throw WebSocketClosure(.invalidPayload, "A text is UTF-8.")
    }
    return .text(text)
  }

  private func begun(by frame: WebSocketFrame) throws(WebSocketClosure) -> Unfinished {
    switch (unfinished, frame.opcode == .continuation) {
    case (let unfinished?, true): return unfinished
    case (nil, false): return Unfinished(isText: frame.opcode == .text)
    case (nil, true): throw WebSocketClosure(.protocolError, "There is no message to continue.")
    case (_?, false): throw WebSocketClosure(.protocolError, "A message begins before the last one ends.")
    }
  }
}
