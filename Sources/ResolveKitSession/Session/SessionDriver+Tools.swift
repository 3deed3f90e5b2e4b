import Logging
import ResolveKitCore
import StreamTransport

/// The running of tools.
extension SessionDriver {
  func run(_ call: ToolCall) {
    let session = session?.id
    runningTools[call.key] = ToolRun(
      clock: configuration.clock,
      onProgress: { [weak self] progress in await self?.handle(.toolProgressed(call.key, progress)) },
      onReturn: { [weak self] outcome in await self?.returned(call.key, outcome) }
    ) { [functions] in
      try await functions.run(call, session: session)
    }
  }

  private func returned(_ key: ToolCallKey, _ outcome: ToolOutcome) {
    runningTools[key] = nil
    handle(.toolFinished(key, outcome, at: now()))
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
