import StreamTransport
import Synchronization

/// One run of one tool: settled once, by the tool, its deadline or its cancellation, whichever comes first.
///
/// A task group would wait for the tool even after its time is up; this doesn't. What a tool returns after it has been
/// given up is handed to `onLateResult` and goes nowhere else.
final class ToolRun<Value: Sendable>: Sendable {
  /// How the run ended for the caller.
  enum Outcome: Sendable {
    case finished(Value)
    case failed(any Error)
    case timedOut
    case cancelled
  }

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    var settled: Outcome?
    var tasks: [Task<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let onLateResult: @Sendable () -> Void

  init(onLateResult: @escaping @Sendable () -> Void = {}) {
    self.onLateResult = onLateResult
  }

  /// Starts the body and returns its outcome, within `timeout` at the latest; nil means no deadline.
  ///
  /// The body's task is cancelled when its time is up or the calling task is cancelled.
  func outcome(
    within timeout: Duration?, clock: TransportClock, _ body: @escaping @Sendable () async throws -> Value
  ) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard wait(with: continuation) else { return }
        keep(
          Task(executorPreference: ToolExecutor.shared) {
            let outcome: Outcome
            do { outcome = .finished(try await body()) } catch { outcome = .failed(error) }
            if !self.settle(outcome) { self.onLateResult() }
          })
        guard let timeout else { return }
        keep(
          Task {
            // A cancelled sleep means that the run is settled already.
            guard (try? await clock.sleep(timeout)) != nil else { return }
            self.settle(.timedOut)
          })
      }
    } onCancel: {
      settle(.cancelled)
    }
  }

  private func wait(with continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let settled = state.withLock { state -> Outcome? in
      if state.settled == nil { state.continuation = continuation }
      return state.settled
    }
    guard let settled else { return true }
    continuation.resume(returning: settled)
    return false
  }

  private func keep(_ task: Task<Void, Never>) {
    let isSettled = state.withLock { state in
      if state.settled == nil { state.tasks.append(task) }
      return state.settled != nil
    }
    if isSettled { task.cancel() }
  }

  @discardableResult
  private func settle(_ outcome: Outcome) -> Bool {
    let (isFirst, continuation, tasks) = state.withLock {
      state -> (Bool, CheckedContinuation<Outcome, Never>?, [Task<Void, Never>]) in
      guard state.settled == nil else { return (false, nil, []) }
      state.settled = outcome
      defer {
        state.continuation = nil
        state.tasks = []
      }
      return (true, state.continuation, state.tasks)
    }
    guard isFirst else { return false }
    for task in tasks { task.cancel() }
    continuation?.resume(returning: outcome)
    return true
  }
}
