import NIOCore

/// The contents of a close frame (RFC 6455 § 5.5.1).
struct WebSocketClosure: Equatable, Error {
  /// Bytes of a reason that fit into a control frame beside the code.
  private static let maximumReasonSize = 123

  /// nil where the frame is empty.
  let code: WebSocketCloseCode?
  let reason: String

  /// - Parameters:
  ///   - code: a code that no frame may carry becomes 1011.
  ///   - reason: what is longer than a frame holds is cut off.
  init(_ code: WebSocketCloseCode, _ reason: String) {
    var reason = reason
    while reason.utf8.count > Self.maximumReasonSize { reason.removeLast() }
    self.code = code.isSendable ? code : .internalError
    self.reason = reason
  }

  /// Reads a client's.
  init(payload: ByteBuffer) throws(WebSocketClosure) {
    var payload = payload
    guard payload.readableBytes > 0 else {
      code = nil
      reason = ""
      return
    }
    guard let number = payload.readInteger(as: UInt16.self) else {
      throw WebSocketClosure(.protocolError, "A close frame's code has two bytes.")
    }
    let code = WebSocketCloseCode(rawValue: number)
    guard code.isSendable else {
      throw WebSocketClosure(.protocolError, "A close frame cannot carry the code \(number).")
    }
    guard let reason = String(validating: payload.readableBytesView, as: UTF8.self) else {
      throw WebSocketClosure(.invalidPayload, "The reason of a close frame is UTF-8.")
    }
    self.code = code
    self.reason = reason
  }

  var payload: ByteBuffer {
    var payload = ByteBuffer()
    if let code {
      payload.writeInteger(code.rawValue)
      payload.writeString(reason)
    }
    return payload
  }
}
