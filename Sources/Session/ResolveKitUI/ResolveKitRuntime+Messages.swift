public import ResolveKitCore
public import ResolveKitSession

/// Messages and their turns.
extension ResolveKitRuntime {
  /// Sends a message. While a turn is in progress, and before ``start()``, none is taken: ``executionLog`` says so, and
  /// ``send(_:)`` returns it.
  public func sendMessage(_ text: String) async { await send(text) }

  /// Sends a message. Returns whether it was taken, or why not.
  @discardableResult
  public func send(_ text: String) async -> ResolveKitSendOutcome {
    guard let driver else { return .refused(.notConnected) }
    let outcome = await driver.send(text)
    await caughtUp()
    return outcome
  }

  /// Sends a message, and returns its turn when the answer is complete. Tools are run and approvals asked for meanwhile.
  ///
  /// Throws ``ResolveKitTurnError`` where the message is not taken or its turn ends without a whole answer. Cancelling the
  /// task stops the turn, and throws `CancellationError`.
  public func respond(to text: String) async throws -> ResolveKitFinishedTurn {
    try Task.checkCancellation()
    // From before the message is sent: its turn may end at once.
    let updates = updates()
    switch await send(text) {
    case .refused(let refusal): throw await turnError(refusal)
    case .taken(let requestID):
      for await case .turn(let turn) in updates where turn.requestID == requestID {
        await caughtUp()
        guard turn.status == .complete else { throw await turnError(turn) }
        return turn
      }
      await driver?.cancelTurn(of: requestID)
      await caughtUp()
      try Task.checkCancellation()
      throw ResolveKitTurnError(.cancelled, "The runtime was finished before the answer.")
    }
  }

  /// Takes up the last message again if its turn ended without an answer; returns false where there is none.
  ///
  /// Where it is not known whether the message has arrived, the conversation on the server is asked first: the message is
  /// sent only if it is not there, and what is there is shown, its answer or its turn that still runs. While a turn is in
  /// progress nothing is sent.
  @discardableResult
  public func retryMessage() async -> Bool {
    let isTakenUp = await driver?.retry() ?? false
    await caughtUp()
    return isTakenUp
  }

  /// Sends the agent the messages of a session that the server no longer has (`ResolveKitRuntimeUpdate.forgotten`): the
  /// newest of them go with the context, as its member `earlier_conversation`, until the next session.
  ///
  /// Returns how many; 0 where nothing was forgotten, or the app's own context leaves no room. Throws what the call throws.
  @discardableResult
  public func recallForgottenMessages() async throws -> Int {
    guard let driver, !forgottenMessages.isEmpty else { return 0 }
    return try await driver.recall(forgottenMessages)
  }

  /// Stops the turn in progress. The server is not asked to stop, for the contract has no such call: what still comes
  /// of the turn is not shown, and its tools are not run.
  public func cancelTurn() async {
    await driver?.cancelTurn()
    await caughtUp()
  }

  private var isBlocked: Bool {
    get async { await driver?.connectionState == .blocked }
  }

  private func turnError(_ refusal: ResolveKitMessageRefusal) async -> ResolveKitTurnError {
    switch refusal {
    case .turnInProgress: ResolveKitTurnError(.busy, refusal.description)
    case .notConnected where await isBlocked:
      ResolveKitTurnError(.blocked, lastError ?? "The server refuses this app, its key or its version.")
    case .notConnected: ResolveKitTurnError(.notConnected, refusal.description)
    case .noText, .tooLong: ResolveKitTurnError(.invalidMessage, refusal.description)
    }
  }

  private func turnError(_ turn: ResolveKitFinishedTurn) async -> ResolveKitTurnError {
    switch turn.status {
    case .cancelled: ResolveKitTurnError(.cancelled, turn.reason ?? "The turn was stopped.", turn: turn)
    case .failed, .complete:
      ResolveKitTurnError(await isBlocked ? .blocked : .failed, turn.reason ?? "The turn failed.", turn: turn)
    }
  }
}
