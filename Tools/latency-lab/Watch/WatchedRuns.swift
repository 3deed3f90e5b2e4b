import Foundation
import LatencyReport
import LinkModel

/// The runs of `watch`: every arm at once, each over a link of its own with the same seed.
struct WatchedRuns: Sendable {
  let scenario: Scenario
  let arms: [Arm]
  let seed: UInt64
  let server: ServerChoice
  /// Whether the answers are shown as they come.
  let isShown: Bool

  /// Throws ``LabError`` where a run cannot be made, and `CancellationError` where the task is cancelled.
  func perform() async throws -> [RunRecord] {
    let serverName = try await Availability.server(server)
    let plan = try scenario.plan(origin: RunMaterials.origin, authorityFile: "made later", seed: seed)
    let materials = try RunMaterials(plans: [seed: plan])
    defer { materials.remove() }
    let single = SingleRun(
      scenario: scenario, plans: [seed: plan], materials: materials, server: server, serverName: serverName)
    let delay = StreamSchedule.nanoseconds(scenario.link.toClient.oneWayDelayMilliseconds)
    let display = WatchDisplay(
      title: title, length: StreamSchedule.nanoseconds(scenario.workload.durationSeconds * 1_000),
      answers: arms.map { WatchedAnswer(label: $0.label, offsets: plan.offsetsNanoseconds[0], delay: delay) })
    let drawing = isShown ? Task { await display.run() } : nil
    let records: Result<[RunRecord], any Error>
    do {
      records = .success(try await runs(single, display))
    } catch {
      records = .failure(error)
    }
    // The terminal is put back before anything is said.
    drawing?.cancel()
    await drawing?.value
    return try records.get()
  }

  private func runs(_ single: SingleRun, _ display: WatchDisplay) async throws -> [RunRecord] {
    try await withThrowingTaskGroup(of: (Int, RunRecord).self) { group in
      for (place, arm) in arms.enumerated() {
        group.addTask {
          let run = RunOrder.Run(arm: arm, repetition: 0, seed: seed)
          let outcome = try await single.perform(run, captureFolder: nil) { display.came($0, in: place) }
          return (place, outcome.record)
        }
      }
      var records: [(Int, RunRecord)] = []
      for try await record in group { records.append(record) }
      return records.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private var title: String {
    let round = Workload.number(scenario.link.roundTripMilliseconds)
    return "\(scenario.name) · round trip \(round) ms · \(scenario.workload.inWords)"
  }
}
