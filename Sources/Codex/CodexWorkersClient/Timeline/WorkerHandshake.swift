/// A client's side of the handshake with a worker's device: sends one event, and knows the answer by its id.
public struct WorkerHandshake: Hashable, Sendable {
  /// The progress of a handshake; times are those that ``willSend(at:)`` and ``tick(at:)`` are given.
  public enum State: Hashable, Sendable {
    /// The event was not stored yet.
    case unsent
    /// No answer has come yet; it may until this time.
    case waiting(until: Duration)
    /// Nothing came in time. An answer that comes late counts all the same.
    case timedOut
    /// The device answered in this session; late where that was after the time limit.
    case connected(sessionID: String, isLate: Bool)
  }

  /// The time limit of an answer.
  public static let patience = Duration.seconds(30)

  /// The handshake's id, by which its answer is known.
  public let id: String
  /// This client's own id, for the device.
  public let deviceID: String
  /// The progress so far.
  public private(set) var state = State.unsent

  /// A handshake that was not sent yet.
  public init(id: String, deviceID: String) {
    self.id = id
    self.deviceID = deviceID
  }

  /// The event to store; see ``HandshakeSignal/draft(at:)``.
  public func draft(at moment: String) -> WorkerEventDraft {
    HandshakeSignal.call(id: id, deviceID: deviceID).draft(at: moment)
  }

  /// The event is about to be stored: the answer may come before the server's reply does.
  public mutating func willSend(at now: Duration) {
    guard case .unsent = state else { return }
    state = .waiting(until: now + Self.patience)
  }

  /// Takes an event of the worker's log.
  public mutating func take(_ event: WorkerEvent) {
    guard case .acknowledgement(id, let session)? = HandshakeSignal(event) else { return }
    switch state {
    case .waiting: state = .connected(sessionID: session, isLate: false)
    case .timedOut: state = .connected(sessionID: session, isLate: true)
    case .unsent, .connected: break
    }
  }

  /// Time has passed.
  public mutating func tick(at now: Duration) {
    guard case .waiting(let until) = state, until <= now else { return }
    state = .timedOut
  }
}
