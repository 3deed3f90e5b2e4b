import EventLedger

/// The states of a worker and the steps between them. Pure.
///
/// ```
///          ┌──────────────────────────────────┐
///   new ─→ starting ─→ running ─→ stopped     │ reattach
///               └──────────┴────→ failed ─────┘
/// ```
struct WorkerLifecycle: Equatable, Sendable {
  /// A change in a worker.
  enum Step: Equatable, Sendable {
    case started(RuntimeWorkerStatus.Live)
    case stopped(RuntimeWorkerStatus.End)
  }

  private enum State: Equatable {
    case new
    case live(RuntimeWorkerStatus.Live, since: WallTime)
    case over(RuntimeWorkerStatus.End, since: WallTime, until: WallTime)
  }

  private var state = State.new

  init() {}

  /// A state that was kept; `new` without a status.
  init(status: RuntimeWorkerStatus?, startedAt: WallTime?, stoppedAt: WallTime?) {
    guard let status, let startedAt else { return }
    switch status {
    case .starting: state = .live(.starting, since: startedAt)
    case .running, .stopping: state = .live(.running, since: startedAt)
    case .stopped: state = .over(.stopped, since: startedAt, until: stoppedAt ?? startedAt)
    case .failed: state = .over(.failed, since: startedAt, until: stoppedAt ?? startedAt)
    }
  }

  /// nil before the first start.
  var status: RuntimeWorkerStatus? {
    switch state {
    case .new: nil
    case .live(.starting, _): .starting
    case .live(.running, _): .running
    case .over(.stopped, _, _): .stopped
    case .over(.failed, _, _): .failed
    }
  }

  var startedAt: WallTime? {
    switch state {
    case .new: nil
    case .live(_, let since), .over(_, let since, _): since
    }
  }

  /// nil while it runs.
  var stoppedAt: WallTime? {
    switch state {
    case .new, .live: nil
    case .over(_, _, let until): until
    }
  }

  /// Takes a step; one that does not fit changes nothing.
  mutating func take(_ step: Step, at time: WallTime) {
    switch (state, step) {
    case (.new, .started(let start)), (.over, .started(let start)):
      state = .live(start, since: time)
    case (.live(.starting, let since), .started(.running)): state = .live(.running, since: since)
    case (.live(_, let since), .stopped(let end)), (.over(_, let since, _), .stopped(let end)):
      state = .over(end, since: since, until: stoppedAt ?? time)
    case (.new, .stopped), (.live, .started): break
    }
  }

  /// Throws ``WorkerError`` where the worker takes neither requests nor events.
  func checkRunning() throws(WorkerError) {
    switch state {
    case .live(.running, _): return
    case .over: throw WorkerError(.conflict, "worker is stopped; create or reattach to resume")
    case .live(.starting, _): throw WorkerError(.conflict, "worker is not running")
    case .new: throw WorkerError.unknownWorker
    }
  }
}

extension RuntimeWorkerStatus {
  /// The statuses of a worker that is not over.
  enum Live: Equatable, Sendable {
    case starting
    case running
  }

  /// The statuses of a worker that is over.
  enum End: Equatable, Sendable {
    case stopped
    case failed
  }
}
