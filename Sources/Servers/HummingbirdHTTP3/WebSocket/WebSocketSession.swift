import NIOCore
import NIOWebSocket

/// The rules of a server's WebSocket (RFC 6455 §§ 5 to 7).
///
/// Receives what comes, what is written, and the time; answers what to do, in order, and when it needs the time again.
struct WebSocketSession {
  enum Action: Equatable {
    case deliver(WebSocketMessage)
    case sendPing
    case sendPong(ByteBuffer)
    /// The last frame.
    case sendClose(WebSocketClosure)
    /// No more messages follow; the code of the error that ends them, nil where they end in the way of the protocol.
    case endMessages(WebSocketError.Code?, String)
    case disconnect
  }

  private enum State {
    case open
    /// A close frame is sent, and the client has until then to answer.
    case closing(until: NIODeadline)
    case closed
  }

  private enum Pong {
    case idle
    case onItsWay
    /// The last ping's, to follow the pong that is on its way (RFC 6455 § 5.5.3).
    case next(ByteBuffer)
  }

  private let limits: WebSocketLimits
  private var state = State.open
  // Beside the state, not in it: moved in and out of an enum it would be copied with each frame.
  private var assembly: MessageAssembly
  private var liveness: WebSocketLiveness
  private var pong = Pong.idle
  private var waitingBytes = 0
  /// Bytes came since the last frame.
  private var isFrameUnfinished = false

  init(_ limits: WebSocketLimits, now: NIODeadline) {
    self.limits = limits
    assembly = MessageAssembly(maximumSize: limits.maximumMessageSize)
    liveness = WebSocketLiveness(limits, now: now)
  }

  /// The time at which ``timePassed(now:)`` is due.
  var deadline: NIODeadline? {
    switch state {
    case .open: liveness.deadline
    case .closing(let until): until
    case .closed: nil
    }
  }

  // MARK: What comes

  /// Bytes came, of which frames follow if they complete any.
  mutating func bytesArrived() {
    isFrameUnfinished = true
  }

  /// The bytes that came are all looked at.
  mutating func bytesEnded(now: NIODeadline) {
    liveness.heard(isMessageUnfinished: isFrameUnfinished || assembly.isUnfinished, at: now)
  }

  /// A frame came whose header is sound.
  mutating func received(_ frame: WebSocketFrame, now: NIODeadline) -> [Action] {
    isFrameUnfinished = false
    switch state {
    case .closed: return []
    case .closing: return frame.opcode == .connectionClose ? end(nil, "") : []
    case .open:
      do throws(WebSocketClosure) {
        return try take(frame, now: now)
      } catch {
        return fail(error, now: now)
      }
    }
  }

  /// The bytes received are no frame that a client may send.
  mutating func failed(_ closure: WebSocketClosure, now: NIODeadline) -> [Action] {
    guard case .open = state else { return [] }
    return fail(closure, now: now)
  }

  /// The connection is gone, or the client has closed its side.
  mutating func departed() -> [Action] {
    end(.departed, "The client left without a close frame.")
  }

  /// Whether messages are read; while they are not, nothing comes.
  mutating func listening(_ isListening: Bool, now: NIODeadline) {
    liveness.listening(isListening, at: now)
  }

  // MARK: What goes

  /// Closes from this side; the client has a time to answer.
  mutating func close(_ closure: WebSocketClosure, now: NIODeadline) -> [Action] {
    guard case .open = state else { return [] }
    state = .closing(until: now + WebSocketLiveness.amount(limits.closeTimeout))
    return [.sendClose(closure), .endMessages(nil, "")]
  }

  /// So many bytes are to be written; throws where they may not.
  mutating func writeBegins(_ count: Int, now: NIODeadline) throws(WebSocketError) {
    guard case .open = state else { throw WebSocketError(.closed, "The WebSocket is closed.") }
    guard waitingBytes == 0 || count <= limits.maximumWaitingBytes - waitingBytes else {
      throw WebSocketError(
        .crowded, "\(waitingBytes) bytes wait for the client to take them; wait for writes to return before others.")
    }
    if waitingBytes == 0 { liveness.writing(true, at: now) }
    waitingBytes += max(count, 1)
  }

  /// The client's connection has taken them, or is gone.
  mutating func writeEnded(_ count: Int, now: NIODeadline) {
    waitingBytes -= max(count, 1)
    liveness.writing(waitingBytes > 0, at: now)
  }

  /// The client's connection has taken the pong.
  mutating func pongEnded() -> [Action] {
    guard case .next(let payload) = pong, case .open = state else {
      pong = .idle
      return []
    }
    pong = .onItsWay
    return [.sendPong(payload)]
  }

  // MARK: Time

  mutating func timePassed(now: NIODeadline) -> [Action] {
    switch state {
    case .closed: return []
    case .closing(let until): return until <= now ? end(nil, "") : []
    case .open:
      switch liveness.due(at: now) {
      case nil: return []
      case .ping:
        liveness.asked(at: now)
        return [.sendPing]
      case .pong: return end(.unresponsive, "The client did not answer a ping in time.")
      case .write: return end(.unresponsive, "The client did not take what was written in time.")
      case .message:
        return fail(WebSocketClosure(.policyViolation, "A message did not come whole in time."), now: now)
      }
    }
  }

  private mutating func take(_ frame: WebSocketFrame, now: NIODeadline) throws(WebSocketClosure) -> [Action] {
    if frame.opcode == .text || frame.opcode == .binary || frame.opcode == .continuation {
      return try assembly.take(frame).map { [.deliver($0)] } ?? []
    }
    if frame.opcode == .ping { return answer(frame.unmaskedData) }
    if frame.opcode == .pong { return [] }
    // The decoder lets no other kind pass.
    let closure = try WebSocketClosure(payload: frame.unmaskedData)
    state = .closed
    return [.sendClose(closure), .endMessages(nil, ""), .disconnect]
  }

  private mutating func answer(_ ping: ByteBuffer) -> [Action] {
    guard case .idle = pong else {
      pong = .next(ping)
      return []
    }
    pong = .onItsWay
    return [.sendPong(ping)]
  }

  /// The client broke a rule. The connection stays until it has read why, or the time is over.
  private mutating func fail(_ closure: WebSocketClosure, now: NIODeadline) -> [Action] {
    state = .closing(until: now + WebSocketLiveness.amount(limits.closeTimeout))
    return [.sendClose(closure), .endMessages(.violation, closure.reason)]
  }

  private mutating func end(_ code: WebSocketError.Code?, _ message: String) -> [Action] {
    defer { state = .closed }
    return switch state {
    case .open: [.endMessages(code, message), .disconnect]
    case .closing: [.disconnect]
    case .closed: []
    }
  }
}
