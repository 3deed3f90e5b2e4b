import Synchronization

/// The calls that running turns have asked for, and their results until the turn takes them.
package final class PendingCalls: Sendable {
  package enum Delivery: Equatable, Sendable {
    case accepted
    /// The same result came before and was accepted.
    case duplicate
    /// Nobody waits for it: unknown, too late, or answered with another key.
    case notPending
  }

  private enum Slot {
    case open
    case awaited(CheckedContinuation<ToolOutcome?, Never>)
    case settled(ToolOutcome)
    /// Taken by its turn, or given up.
    case closed
  }

  private struct Call {
    var slot = Slot.open
    var acceptedKey: String?
  }

  private let calls = Mutex<[CallKey: Call]>([:])

  package init() {}

  /// From now on a result may come; it may do so before ``outcome(of:within:clock:)`` asks.
  package func expect(_ key: CallKey) {
    calls.withLock { $0[key] = Call() }
  }

  package func deliver(_ outcome: ToolOutcome, for key: CallKey, idempotencyKey: String) -> Delivery {
    let (delivery, waiter) = calls.withLock { calls -> (Delivery, CheckedContinuation<ToolOutcome?, Never>?) in
      guard var call = calls[key] else { return (.notPending, nil) }
      if let accepted = call.acceptedKey { return (accepted == idempotencyKey ? .duplicate : .notPending, nil) }
      defer { calls[key] = call }
      switch call.slot {
      case .open:
        call.slot = .settled(outcome)
        call.acceptedKey = idempotencyKey
        return (.accepted, nil)
      case .awaited(let waiter):
        call.slot = .closed
        call.acceptedKey = idempotencyKey
        return (.accepted, waiter)
      case .settled, .closed:
        return (.notPending, nil)
      }
    }
    waiter?.resume(returning: outcome)
    return delivery
  }

  /// The result of an expected call; nil when none came in time, or the task was cancelled. The time runs from now.
  package func outcome(of key: CallKey, within limit: Duration, clock: any Clock<Duration>) async -> ToolOutcome? {
    let timer = Task {
      do { try await clock.sleep(for: limit) } catch { return }
      giveUp(key)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: ToolOutcome?? = calls.withLock { calls in
          guard var call = calls[key] else { return .some(nil) }
          defer { calls[key] = call }
          switch call.slot {
          case .open:
            call.slot = .awaited(continuation)
            return .none
          case .closed, .awaited:
            return .some(nil)
          case .settled(let outcome):
            call.slot = .closed
            return .some(outcome)
          }
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(key)
    }
  }

  /// Forgets a turn's calls; results that come later are not pending.
  package func forget(turnID: String) {
    let waiters = calls.withLock { calls in
      let ended = calls.filter { $0.key.turnID == turnID }
      for key in ended.keys { calls[key] = nil }
      return ended.values.compactMap { call in if case .awaited(let waiter) = call.slot { waiter } else { nil } }
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  private func giveUp(_ key: CallKey) {
    let waiter = calls.withLock { calls -> CheckedContinuation<ToolOutcome?, Never>? in
      switch calls[key]?.slot {
      case .awaited(let waiter):
        calls[key]?.slot = .closed
        return waiter
      case .open:
        calls[key]?.slot = .closed
        return nil
      case .settled, .closed, nil:
        return nil
      }
    }
    waiter?.resume(returning: nil)
  }
}
