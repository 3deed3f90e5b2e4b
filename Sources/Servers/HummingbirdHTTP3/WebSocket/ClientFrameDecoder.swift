import NIOCore
import NIOWebSocket

/// NIO's decoder of frames, which refuses what no client may send at the first two bytes of a frame (RFC 6455 §§ 5.2, 5.5).
///
/// NIO's own hands on frames that are whole, so a client that sends something else would wait for an answer until enough of
/// it has come.
struct ClientFrameDecoder: ByteToMessageDecoder {
  typealias InboundOut = WebSocketFrame

  /// The examined part of a frame.
  private enum Position {
    case nothing
    case firstByte(isControl: Bool)
    case bothBytes
  }

  private let base: WebSocketFrameDecoder
  private var position = Position.nothing

  init(maximumSize: Int) {
    // It traps beyond that.
    base = WebSocketFrameDecoder(maxFrameSize: min(max(maximumSize, 125), Int(UInt32.max)))
  }

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    var header = buffer
    if case .nothing = position, let byte = header.readInteger(as: UInt8.self) {
      position = try Self.check(first: byte)
    }
    if case .firstByte(let isControl) = position, let byte = header.readInteger(as: UInt8.self) {
      try Self.check(second: byte, isControl: isControl)
      position = .bothBytes
    }
    // It takes what there is of a header, so that the buffer begins behind what has been looked at.
    let state = try base.decode(context: context, buffer: &buffer)
    if state == .continue { position = .nothing }
    return state
  }

  private static func check(first byte: UInt8) throws(WebSocketClosure) -> Position {
    let isControl = byte & 0x08 != 0
    guard byte & 0x70 == 0 else {
      throw WebSocketClosure(.protocolError, "No extension was agreed on that gives reserved bits a meaning.")
    }
    guard byte & 0x07 <= 2 else { throw WebSocketClosure(.protocolError, "Frames of this kind are unknown.") }
    guard !isControl || byte & 0x80 != 0 else { throw WebSocketClosure(.protocolError, "A control frame is whole.") }
    return .firstByte(isControl: isControl)
  }

  private static func check(second byte: UInt8, isControl: Bool) throws(WebSocketClosure) {
    guard byte & 0x80 != 0 else { throw WebSocketClosure(.protocolError, "A client masks its frames.") }
    guard !isControl || byte & 0x7f <= 125 else {
      throw WebSocketClosure(.protocolError, "A control frame has at most 125 bytes.")
    }
  }
}
