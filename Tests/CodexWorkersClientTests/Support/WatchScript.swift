import ResolveKitCore
import TestSupport

@testable import CodexWorkersClient

/// A watch in virtual time, which gets one fact after the other.
struct WatchScript {
  var watch: WorkerWatch
  var now = Duration.zero
  private var generator = SeededGenerator(seed: 1)

  init(after cursor: Int64 = 0) {
    watch = WorkerWatch(after: cursor, refreshInterval: .seconds(30))
  }

  mutating func report(_ fact: WorkerWatch.Fact) -> [WorkerWatch.Action] {
    watch.handle(fact, at: now, using: &generator)
  }

  /// Begins, and has the first snapshot say that all is as the cursor has it.
  mutating func begin() -> [WorkerWatch.Action] {
    let actions = report(.begun)
    _ = report(.snapshot(Self.snapshot(watch.applied)))
    return actions
  }

  /// Goes to the deadline and reports that it has passed.
  mutating func pass() -> [WorkerWatch.Action] {
    now = max(now, watch.deadline ?? now)
    return report(.due)
  }

  static func event(_ sequence: Int64, _ payload: JSONObject = [:], type: String = "worker.event") -> WorkerEvent {
    WorkerEvent(
      workerID: ScriptedRuntime.worker, sequence: sequence, type: type, payload: payload, occurredAt: "t\(sequence)")
  }

  static func snapshot(_ latest: Int64, _ more: JSONObject = [:]) -> WorkerSnapshot {
    let members: JSONObject = [
      "worker_id": .string(ScriptedRuntime.worker), "status": "running", "latest_seq": .number(Double(latest)),
    ]
    guard let snapshot = WorkerSnapshot(.object(members.merging(more) { $1 })) else {
      preconditionFailure("This is a snapshot.")
    }
    return snapshot
  }
}
