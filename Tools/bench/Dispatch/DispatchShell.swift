import ResolveKitCore
import ResolveKitSession
import StreamTransport

/// A session without a network: results are accepted as soon as they are to be delivered.
actor DispatchShell {
  private var machine = TurnMachine()
  private var queue: [TurnEvent] = []
  private var running: [ToolCallKey: ToolRun] = [:]
  private var open = 0
  private var waiter: CheckedContinuation<Void, Never>?
  private(set) var answered = 0

  init(approval: Bool) {
    let tool = ToolPolicy(name: EchoTool.resolveKitName, requiresApproval: approval)
    _ = machine.handle(.startRequested(tools: [tool]))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: false))
    _ = machine.handle(.streamOpened(generation: 1, at: 1))
  }

  func handle(_ events: [TurnEvent]) {
    for event in events { handle(event) }
  }

  /// Hands the calls over and returns once each has its result.
  func dispatch(_ calls: ArraySlice<TurnEvent>) async {
    open += calls.count
    for call in calls { handle(call) }
    await withCheckedContinuation { continuation in
      if open == 0 { continuation.resume() } else { waiter = continuation }
    }
  }

  private func handle(_ event: TurnEvent) {
    queue.append(event)
    guard queue.count == 1 else { return }
    while let event = queue.first {
      for action in machine.handle(event) { perform(action) }
      queue.removeFirst()
    }
  }

  private func perform(_ action: TurnAction) {
    switch action {
    case .consultPolicy(let call): handle(.policyDecided(call.key, .allow, at: call.arrivedAt))
    case .startTool(let call):
      running[call.key] = ToolRun(clock: .continuous, onReturn: { await self.returned(call, $0) }) {
        try await EchoTool.invoke(arguments: call.request.arguments, context: ResolveKitFunctionContext())
      }
    case .deliverResult(let key, let payload):
      if payload.status == .success { answered += 1 }
      handle(.resultAccepted(key, deduplicated: false, at: 1))
      open -= 1
      if open == 0 {
        waiter?.resume()
        waiter = nil
      }
    default: break
    }
  }

  private func returned(_ call: ToolCall, _ outcome: ToolOutcome) {
    running[call.key] = nil
    handle(.toolFinished(call.key, outcome, at: call.arrivedAt))
  }
}
