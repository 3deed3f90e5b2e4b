import EventStream

/// Moves the stream to a connection that serves better, without a gap: the new one is opened beside the old one, with
/// the cursor of what was dealt with, and nothing of the old one is delivered from then on unless that fails.
extension EventSourceSession {
  /// The old stream's events wait meanwhile.
  private static let moveLimit = Duration.seconds(3)

  static let firstMovePause = Duration.seconds(1)
  private static let longestMovePause = Duration.seconds(30)

  /// A move failed and the stream stays: what was a reason for it may be one again, or still.
  func watchAgain(_ connection: ConnectionInfo) {
    watch(connection, after: movePause)
    movePause = min(movePause * 2, Self.longestMovePause)
  }

  func watch(_ connection: ConnectionInfo, after pause: Duration = .zero) {
    stopMoving()
    watcher = Task { [weak self, transport = opener.transport, clock = opener.configuration.clock] in
      if pause > .zero { guard (try? await clock.sleep(pause)) != nil else { return } }
      guard (try? await transport.improvement(over: connection)) != nil else { return }
      await self?.improvementCame()
    }
  }

  private func improvementCame() {
    isMoveDue = true
    // The reader waits, so all that was delivered is dealt with; else it begins the move with its next call.
    if let reading { startMove(from: reading) }
  }

  func startMove(from stream: EventSourceStream) {
    // Else what came since the cursor would come again, or be missing: later, perhaps.
    guard isCursorCurrent else { return }
    isMoveDue = false
    guard move == nil else { return }
    advanceCursor()
    move = Task { [opener, cursor, attempt] in
      let outcome = try? await opener.configuration.clock.withLimit(Self.moveLimit) {
        try await opener.open(EventSourceAttempt(lastEventID: cursor.id, number: attempt), cursor, isMove: true)
      }
      guard case .stream(let new) = outcome ?? nil else { return nil }
      // Wakes the reader.
      stream.cancel()
      return new
    }
  }

  /// The stream to continue with; nil when there is no move, or it failed and the old one stays.
  func finishMove() async -> EventSourceStream? {
    guard let move else { return nil }
    defer { self.move = nil }
    return await withTaskCancellationHandler {
      await move.value
    } onCancel: {
      move.cancel()
    }
  }

  func stopMoving() {
    watcher?.cancel()
    watcher = nil
    move?.cancel()
    move = nil
    isMoveDue = false
  }
}
