/// A client's side of the handshake with a worker's device: sends one event, and knows the answer by its id.
public struct WorkerHandshake: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case unsent
    case waiting(until: Duration)
    /// Nothing came in time. An answer that comes late counts all the same.
    case timedOut
    case connected(sessionID: String, isLate: Bool)
  }

  /// The time limit of an answer.
  public static let patience = Duration.seconds(30)

  public let id: String
  public let deviceID: String
  public private(set) var state = State.unsent

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
