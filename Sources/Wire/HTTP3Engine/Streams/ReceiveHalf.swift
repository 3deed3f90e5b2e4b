/// The peer's half of a stream (RFC 9000 § 3.2), as far as its message goes; bytes in order are the library's to keep.
///
/// That the owner has read all of it ("Data Read", "Reset Read") is nothing that a peer would notice, and no state here.
struct ReceiveHalf {
  private enum State {
    /// "Recv" and "Size Known": the message is on its way.
    case recv
    /// "Data Recvd": it is complete.
    case dataRecvd
    /// "Reset Recvd": the peer took it back.
    case resetRecvd
    /// We want no more of it (STOP_SENDING), because the owner said so or the message is malformed.
    case stopped
  }

  private var state = State.recv

  /// Whether nothing more of the message is handed on.
  var isOver: Bool {
    switch state {
    case .recv: false
    case .dataRecvd, .resetRecvd, .stopped: true
    }
  }

  /// Whether the peer took the message back.
  var isReset: Bool {
    if case .resetRecvd = state { true } else { false }
  }

  /// Notes the message's end; false if it was over.
  mutating func complete() -> Bool { end(.dataRecvd) }

  /// Notes the peer's RESET_STREAM; false if the message was over.
  mutating func reset() -> Bool { end(.resetRecvd) }

  /// Wants no more of the message; false if it was over.
  mutating func stop() -> Bool { end(.stopped) }

  private mutating func end(_ next: State) -> Bool {
    guard case .recv = state else { return false }
    state = next
    return true
  }
}
