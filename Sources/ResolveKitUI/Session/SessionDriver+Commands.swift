import Foundation
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// What a person or the app asks of the session.
extension SessionDriver {
  /// Starts, and returns once the stream is open; throws what stood in the way.
  func startSession() async throws {
    handle(.startRequested(tools: functions.definitions.map { ToolPolicy($0) }))
    await settled()
    switch connectionState {
    case .failed, .blocked:
      throw ResolveKitStartError(
        isBlocked: connectionState == .blocked, message: connectionReason ?? "The connection failed.")
    case .idle: throw CancellationError()
    case .registering, .connecting, .active, .reconnecting, .reconnected: return
    }
  }

  func stop() async {
    handle(.stopRequested)
    let tasks = Array(calls.values) + Array(deadlines.values) + Array(runningTools.values)
    calls = [:]
    deadlines = [:]
    runningTools = [:]
    closeStream()
    for task in tasks { task.cancel() }
  }

  /// Forgets the session, so that the next start makes a new one.
  func startAnew() async throws {
    await stop()
    reset()
    try await startSession()
  }

  /// Does nothing while a turn is in progress.
  func send(_ text: String) {
    guard !isTurnInProgress else { return }
    let message = OutgoingMessage(requestID: newID(), text: text, locale: nil)
    hub.send(.turnStarted(requestID: message.requestID, text: text))
    handle(.sendRequested(message, at: TransportClock.monotonicNanoseconds()))
  }

  func cancelTurn() {
    handle(.cancelRequested(at: TransportClock.monotonicNanoseconds()))
  }

  /// Decides on the batch that waits, if one does.
  func decide(_ decision: ApprovalDecision) {
    guard let batchID = waitingBatch else { return }
    waitingBatch = nil
    handle(.approvalDecided(batchID: batchID, decision, only: [], at: TransportClock.monotonicNanoseconds()))
  }

  func useLocale(_ locale: String?) {
    self.locale = locale ?? configuration.localeProvider()
  }
}
