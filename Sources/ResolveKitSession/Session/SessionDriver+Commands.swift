import Foundation
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// What a person or the app asks of the session.
extension SessionDriver {
  /// Starts, and returns once the stream is open; throws what stood in the way.
  package func startSession() async throws {
    // It may be the journal that is to be opened again.
    let stops = stops
    await closing?.value
    guard stops == self.stops else { throw CancellationError() }
    let image = try keptSession()
    refreshApprovals()
    handle(.startRequested(tools: functions.policies(server: configuration.approvalServer)))
    if let image { restore(image) }
    await settled()
    // Stopped meanwhile; the state may be another start's by now.
    guard stops == self.stops else { throw CancellationError() }
    switch connectionState {
    case .failed, .blocked:
      throw ResolveKitStartError(
        isBlocked: connectionState == .blocked, message: connectionReason ?? "The connection failed.")
    case .idle: throw CancellationError()
    case .registering, .connecting, .active, .reconnecting, .reconnected: return
    }
  }

  package func stop() async {
    stops += 1
    handle(.stopRequested)
    let tasks = Array(calls.values) + Array(deadlines.values)
    calls = [:]
    deadlines = [:]
    for run in runningTools.values { run.cancel() }
    closeStream()
    renewal?.cancel()
    heldRefusal = nil
    withdrawFeedback()
    for task in tasks { task.cancel() }
    leaveJournals()
    await closing?.value
  }

  /// Forgets the session, so that the next start makes a new one.
  package func startAnew() async throws {
    await stop()
    startsAnew = true
    forgetSession()
    try await startSession()
  }

  /// Does nothing while a turn is in progress.
  package func send(_ text: String) {
    guard !isTurnInProgress else { return }
    send(OutgoingMessage(requestID: newID(), text: text, locale: locale))
  }

  /// Takes up the last message again; false where it has its answer, or there is none.
  package func retry() -> Bool {
    guard !isTurnInProgress else { return true }
    guard let left = machine.left else { return false }
    switch left.arrival {
    case .ended: send(left.message.text)
    // The same message: under its id it can be only one.
    case .no, .unknown, .running: send(left.message)
    }
    return true
  }

  private func send(_ message: OutgoingMessage) {
    feedback.messageSent()
    withdrawFeedback()
    endFollowing()
    refreshApprovals()
    hub.send(.turnStarted(requestID: message.requestID, text: message.text))
    handle(.sendRequested(message, at: now()))
  }

  package func cancelTurn() {
    handle(.cancelRequested(at: now()))
  }
}
