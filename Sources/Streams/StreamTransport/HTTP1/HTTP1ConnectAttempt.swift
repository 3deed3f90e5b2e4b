import NIOCore
import Synchronization

/// The channels of one attempt to connect (Happy Eyeballs opens several), so that all can be given up together.
final class HTTP1ConnectAttempt: Sendable {
  private struct State {
    var channels: [any Channel] = []
    var failure: TransportError?
  }

  private let state = Mutex(State())
  private let result: EventLoopPromise<HTTP1Connection>

  init(result: EventLoopPromise<HTTP1Connection>) {
    self.result = result
  }

  /// Takes a channel in; throws where the attempt was given up already.
  func adopt(_ channel: any Channel) throws(TransportError) {
    let failure = state.withLock { state in
      if state.failure == nil { state.channels.append(channel) }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Ends the attempt in success; false where it was given up already.
  func succeed(_ connection: HTTP1Connection) -> Bool {
    guard state.withLock({ $0.failure == nil }) else { return false }
    state.withLock { $0.channels = [] }
    result.succeed(connection)
    return true
  }

  /// Ends the attempt: closes its channels, and refuses those that are still to come.
  func giveUp(_ error: TransportError) {
    let channels = state.withLock { state -> [any Channel]? in
      guard state.failure == nil else { return nil }
      state.failure = error
      defer { state.channels = [] }
      return state.channels
    }
    guard let channels else { return }
    // The error goes first: closing a channel reports another one, which only follows from this.
    result.fail(error)
    for channel in channels { channel.close(promise: nil) }
  }
}
