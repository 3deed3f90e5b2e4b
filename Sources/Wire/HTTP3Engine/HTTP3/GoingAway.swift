/// The graceful end of a connection (RFC 9114 § 5.2): a notice first, the final GOAWAY once requests that were on their way
/// have had time to arrive.
struct GoingAway {
  private enum Step {
    case none
    case noticeDue
    case finalDue(at: Timestamp)
    case done
  }

  private var step = Step.none
  /// Whether the peer has sent GOAWAY, so that it takes no new request.
  private(set) var isPeerGoingAway = false

  /// Whether we have been asked to go away.
  var hasBegun: Bool {
    switch step {
    case .none: false
    case .noticeDue, .finalDue, .done: true
    }
  }

  /// The time at which the final GOAWAY is due; nil while it waits for nothing.
  var deadline: Timestamp? {
    switch step {
    case .finalDue(let due): due
    case .none, .noticeDue, .done: nil
    }
  }

  mutating func peerDidAnnounce() { isPeerGoingAway = true }

  /// Begins with the notice, which the next write pass takes.
  mutating func begin() {
    guard case .none = step else { return }
    step = .noticeDue
  }

  /// Takes the notice; false if none is due. The final GOAWAY follows after `wait`.
  mutating func takeNotice(at now: Timestamp, wait: @autoclosure () -> Duration) -> Bool {
    guard case .noticeDue = step else { return false }
    step = .finalDue(at: now + wait())
    return true
  }

  /// Takes the final GOAWAY if its time has come.
  mutating func takeFinal(at now: Timestamp) -> Bool {
    guard case .finalDue(let due) = step, due <= now else { return false }
    return takeFinal()
  }

  /// Takes the final GOAWAY without the wait; false if it was taken before.
  mutating func takeFinal() -> Bool {
    if case .done = step { return false }
    step = .done
    return true
  }
}
