/// Our half of a stream (RFC 9000 § 3.1), and how far the message on it is.
///
/// That all of it was acknowledged ("Data Recvd", "Reset Recvd") ends the stream, and is no state of its own here.
struct SendHalf {
  /// The owner's part of the message.
  private enum Message {
    case none
    /// The fields of a request or response; a body may follow.
    case begun
    case complete
  }

  private enum State {
    /// "Ready": nothing of the stream went into a packet.
    case ready(Message)
    /// "Send".
    case send(Message)
    /// "Data Sent": the end went into a packet.
    case dataSent
    /// "Reset Sent": we have given the message up.
    case resetSent
    /// "Reset Sent" in answer to the peer's STOP_SENDING, which the library sends by itself (§ 3.5).
    case stopped
  }

  private var state = State.ready(.none)

  /// Whether nothing more is taken of the owner: the message is complete, was given up, or the peer wants no more of it.
  var isOver: Bool {
    switch state {
    case .ready(.complete), .send(.complete), .dataSent, .resetSent, .stopped: true
    case .ready(.none), .ready(.begun), .send(.none), .send(.begun): false
    }
  }

  /// Whether the message has its fields.
  var hasFields: Bool {
    switch state {
    case .ready(.none), .send(.none): false
    case .ready(.begun), .ready(.complete), .send(.begun), .send(.complete), .dataSent, .resetSent, .stopped: true
    }
  }

  /// Whether something of the stream went into a packet, so that the peer may know of it.
  var hasLeft: Bool {
    switch state {
    case .ready: false
    case .send, .dataSent, .resetSent, .stopped: true
    }
  }

  /// Whether the end went into a packet.
  var isEndSent: Bool {
    if case .dataSent = state { true } else { false }
  }

  /// Whether the peer stopped the message before the owner had completed it, or the library had sent it.
  var isStopped: Bool {
    if case .stopped = state { true } else { false }
  }

  /// Whether no more of the message is sent, or sent again.
  var isGivenUp: Bool {
    switch state {
    case .resetSent, .stopped: true
    case .ready, .send, .dataSent: false
    }
  }

  /// Takes the message's fields, once.
  mutating func begin() {
    switch state {
    case .ready(.none): state = .ready(.begun)
    case .send(.none): state = .send(.begun)
    case .ready(.begun), .ready(.complete), .send(.begun), .send(.complete), .dataSent, .resetSent, .stopped: break
    }
  }

  /// Takes the message's end.
  mutating func finish() {
    switch state {
    case .ready: state = .ready(.complete)
    case .send: state = .send(.complete)
    case .dataSent, .resetSent, .stopped: break
    }
  }

  /// A packet took bytes of the stream, or its end.
  mutating func didSend(isEnd: Bool) {
    switch state {
    case .ready(let message), .send(let message): state = isEnd ? .dataSent : .send(message)
    case .dataSent, .resetSent, .stopped: break
    }
  }

  /// Gives the message up (RESET_STREAM).
  mutating func reset() {
    switch state {
    case .ready, .send, .dataSent: state = .resetSent
    case .resetSent, .stopped: break
    }
  }

  /// Notes that the peer wants no more of a message that is not over (STOP_SENDING); false for one that is.
  mutating func stop() -> Bool {
    guard !isOver else { return false }
    state = .stopped
    return true
  }
}
