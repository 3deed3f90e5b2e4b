import Foundation
import Logging
package import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// Commands of a person or the app to the session.
extension SessionDriver {
  /// Starts, and returns once the stream is open; throws what stood in the way.
  package func startSession() async throws {
    // It may be the journal that is to be opened again.
    let stops = stops
    await journals.closing?.value
    guard stops == self.stops else { throw CancellationError() }
    let image = try keptSession()
    refreshApprovals()
    handle(.startRequested(tools: tools.functions.policies(server: configuration.approvalServer)))
    if let image { restore(image) }
    await withCheckedContinuation { status.settle($0) }
    // Stopped meanwhile; the state may be another start's by now.
    guard stops == self.stops else { throw CancellationError() }
    switch status.state {
    case .failed, .blocked:
      throw ResolveKitStartError(
        isBlocked: status.state == .blocked, message: status.reason ?? "The connection failed.")
    case .idle: throw CancellationError()
    case .registering, .connecting, .active, .reconnecting, .reconnected: return
    }
  }

  /// Ends the turn, the stream and all tools. When it returns, neither the stream's reader nor a timer is left; a request or
  /// a tool that is slow to notice its cancellation may be, and has no effect any more.
  package func stop() async {
    stops += 1
    let reader = stream.close()
    handle(.stopRequested)
    tools.cancelAll()
    renewal.cancel()
    _ = handover.takeRefusal()
    publisher.withdrawFeedback()
    let timers = cancelCallsAndDeadlines()
    journals.leave()
    await journals.closing?.value
    await reader?.value
    for timer in timers { await timer.value }
  }

  /// Forgets the session, so that the next start makes a new one.
  package func startNewSession() async throws {
    await stop()
    journals.startNewSession()
    forgetSession(isForNew: true)
    client.forgetRecalled()
    try await startSession()
  }

  /// The published state of the connection.
  package var connectionState: ResolveKitConnectionState { status.state }

  // MARK: Messages

  /// Sends a message unless a turn is in progress; returns whether it was taken.
  package func send(_ text: String) -> ResolveKitSendOutcome {
    let refusal = machine.refusal(of: text)
    if refusal == .turnInProgress {
      publisher.send(.note("a message was not sent: a turn is in progress"))
      return .refused(.turnInProgress)
    }
    let message = OutgoingMessage(requestID: newID(), text: text, locale: client.locale)
    send(message)
    if machine.turnRequestID == message.requestID { return .taken(requestID: message.requestID) }
    return .refused(refusal ?? .notConnected)
  }

  /// Takes up the last message again; false where it has its answer, or there is none.
  package func retry() -> Bool {
    guard !machine.isTurnInProgress else { return true }
    guard let left = machine.left else { return false }
    switch left.arrival {
    case .ended: _ = send(left.message.text)
    // The same message: under its id it can be only one.
    case .no, .unknown, .running: send(left.message)
    }
    return true
  }

  private func send(_ message: OutgoingMessage) {
    publisher.messageSent()
    endFollowing()
    refreshApprovals()
    publisher.send(.turnStarted(requestID: message.requestID, text: message.text))
    handle(.sendRequested(message, at: clock.now()))
  }

  package func cancelTurn() {
    handle(.cancelRequested(at: clock.now()))
  }

  /// Stops the turn of that message, if it is the one in progress.
  package func cancelTurn(of requestID: String) {
    if machine.turnRequestID == requestID { cancelTurn() }
  }

  func newID() -> String { configuration.random.uuid() }

  // MARK: Approvals

  /// Decides on the calls of a question as it was shown, or on single ones of them.
  package func decide(
    _ decision: ApprovalDecision, on question: ResolveKitApprovalRequest, only callIDs: [String]?
  ) -> ResolveKitDecisionOutcome {
    let now = clock.now()
    let outcome = machine.outcome(of: decision, on: question, only: callIDs, at: now)
    handle(.approvalDecided(decision, on: question, only: callIDs, at: now))
    return outcome
  }

  func consultPolicy(_ call: ToolCall) {
    let verdict: ApprovalVerdict? =
      switch configuration.approvalPolicy(call.pending) {
      case .allow: .allow
      case .deny: .deny
      case .ask: nil
      }
    handle(.policyDecided(call.key, verdict, at: clock.now()))
  }

  /// Reports to the machine what is kept now; nothing is allowed by what cannot be read.
  package func refreshApprovals() {
    var standing: [StandingApproval] = []
    do {
      standing = try configuration.approvalStore.approvals().map(\.standing)
    } catch {
      standing = configuration.approvalStore.unsavedApprovals.map(\.standing)
      logger.warning("decisions on tools cannot be read", metadata: ["reason": "\(error)"])
      publisher.send(.note("every call is asked about: \(error)"))
    }
    handle(.standingApprovalsChanged(standing, at: clock.now()))
  }

  func keep(_ approval: StandingApproval) {
    do {
      try configuration.approvalStore.keep(approval, server: configuration.approvalServer)
    } catch {
      logger.warning("a decision is not kept", metadata: ["tool": "\(approval.toolName)", "reason": "\(error)"])
      publisher.send(.note("the decision on \(approval.toolName) holds until this program ends: \(error)"))
    }
  }

  // MARK: Locale and feedback

  /// Another locale for the rest of the conversation; nil for the configuration's.
  package func useLocale(_ locale: String?) async {
    client.chooseLocale(locale)
    await loadLocalization()
  }

  package func dismissFeedback() {
    publisher.dismissFeedback()
  }

  /// Throws what the call throws: of a session that was rated before, the first rating counts.
  package func submitFeedback(_ rating: ResolveKitFeedbackRequest) async throws {
    publisher.withdrawFeedback()
    guard let session = session.current else {
      throw ResolveKitStartError(isBlocked: false, message: "There is no session to rate.")
    }
    do {
      try await api.submitFeedback(rating, session: session)
    } catch ResolveKitAPIClientError.serverError(statusCode: 409, let words) {
      logger.info("the session was rated before, and that rating counts")
      publisher.feedbackSubmitted()
      throw ResolveKitAPIClientError.serverError(statusCode: 409, message: words)
    }
    publisher.feedbackSubmitted()
  }
}
