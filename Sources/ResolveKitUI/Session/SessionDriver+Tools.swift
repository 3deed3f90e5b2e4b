import Logging
import ResolveKitCore
import StreamTransport

/// Approvals and the running of tools.
extension SessionDriver {
  /// Asks the app's policy first, and a person about what is left.
  func decide(_ batch: ToolCallChecklistBatch) {
    var allowed: [ToolCallKey] = []
    var denied: [ToolCallKey] = []
    var open: [ResolveKitPendingToolCall] = []
    for item in batch.items where item.status == .pendingApproval {
      let key = ToolCallKey(turnID: batch.turnID, callID: item.call.callID)
      switch configuration.approvalPolicy(item.call) {
      case .allow: allowed.append(key)
      case .deny: denied.append(key)
      case .ask: open.append(item.call)
      }
    }
    let now = TransportClock.monotonicNanoseconds()
    if !allowed.isEmpty { handle(.approvalDecided(batchID: batch.id, .approveOnce, only: allowed, at: now)) }
    if !denied.isEmpty { handle(.approvalDecided(batchID: batch.id, .deny, only: denied, at: now)) }
    guard !open.isEmpty else { return }
    waitingBatch = batch.id
    hub.send(.approvalNeeded(batchID: batch.id, calls: open))
  }

  func withdrawApproval(_ batchID: Int) {
    if waitingBatch == batchID { waitingBatch = nil }
    hub.send(.approvalWithdrawn(batchID: batchID))
  }

  func run(_ call: ToolCall) {
    let run = ToolRun<JSONValue> { [logger] in
      logger.notice("a tool answered after it was given up", metadata: ["tool": "\(call.functionName)"])
    }
    let timeout = Duration.seconds(call.request.timeoutSeconds)
    let session = session?.id
    runningTools[call.key] = Task { [functions, clock = configuration.clock] in
      let outcome = await run.outcome(within: timeout, clock: clock) {
        try await functions.run(call, session: session)
      }
      self.runningTools[call.key] = nil
      switch outcome {
      case .finished(let value): self.finish(call, .success(value))
      case .failed(let error): self.finish(call, .failure(Self.sentence(error)))
      case .timedOut: self.finish(call, .failure("Timed out after \(call.request.timeoutSeconds)s"))
      // The machine cancelled it and has settled the call already.
      case .cancelled: break
      }
    }
  }

  private func finish(_ call: ToolCall, _ outcome: ToolOutcome) {
    handle(.toolFinished(call.key, outcome, at: TransportClock.monotonicNanoseconds()))
  }

  /// An error's own words; the model can act on them.
  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as ResolveKitFunctionError: error.description
    case is CancellationError: "The tool was cancelled."
    default: "\(error)"
    }
  }

  func log(_ delivery: ResultDelivery, of key: ToolCallKey) {
    switch delivery {
    case .accepted: logger.debug("result accepted", metadata: ["call_id": "\(key.callID)"])
    case .deduplicated: logger.info("the server had the result already", metadata: ["call_id": "\(key.callID)"])
    case .refused(let failure):
      logger.warning("the result was refused: \(failure)", metadata: ["call_id": "\(key.callID)"])
    case .abandoned: logger.notice("the result was given up", metadata: ["call_id": "\(key.callID)"])
    }
  }
}
