import Foundation
import LatencyReport
import LinkModel

/// Runs of HTTP/3 in virtual time, as many at once as the machine has cores. A seed gives the same packets everywhere.
struct Simulator: Sendable {
  let scenario: Scenario
  let plan: ClientPlan
  let arms: [SimulatedArm]
  private let seed: UInt64
  private let certificate: SimulationCertificate

  /// Throws ``ScenarioError``, ``WorkloadError`` or ``SimulationError``.
  init(_ scenario: Scenario, arms: [SimulatedArm] = [SimulatedArm.all[0]], seed: UInt64) throws {
    try ScenarioFile.check(scenario)
    guard !arms.isEmpty else { throw SimulationError("Name at least one arm to simulate.") }
    self.scenario = scenario
    self.arms = arms
    self.seed = seed
    plan = try scenario.plan(
      origin: "https://\(SimulationCertificate.host)", authorityFile: "in memory", seed: seed)
    certificate = try SimulationCertificate()
  }

  /// The arms of a comma-separated list. Throws ``SimulationError``.
  static func arms(_ text: String) throws(SimulationError) -> [SimulatedArm] {
    var arms: [SimulatedArm] = []
    for name in text.split(separator: ",").map({ $0.filter { $0 != " " } }) {
      guard let arm = SimulatedArm.all.first(where: { $0.name == name }) else {
        throw SimulationError(
          "'\(name)' can't be simulated; \(SimulatedArm.all.map(\.name).joined(separator: ", ")) can. Only HTTP/3 runs "
            + "in virtual time, since a kernel's TCP has no other clock than the kernel's.")
      }
      if !arms.contains(where: { $0.name == arm.name }) { arms.append(arm) }
    }
    guard !arms.isEmpty else { throw SimulationError("Name at least one arm to simulate.") }
    return arms
  }

  /// One run. Throws `CancellationError` when the task is cancelled, ``LinkConditionsError`` for a link that cannot be.
  func record(_ arm: SimulatedArm, repetition: Int) throws -> RunRecord {
    var run = try SimulatedRun(
      scenario, plan: plan, arm: arm, seed: seed, repetition: repetition, certificate: certificate)
    return try run.perform()
  }

  /// All runs; `body` gets each record in the order of repetitions and arms, while later ones are still being made.
  func forEachRecord(
    repetitions: Int, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
    // The body runs where the caller does; elsewhere one that belongs to an actor would trap.
    isolation: isolated (any Actor)? = #isolation, _ body: (RunRecord) throws -> Void
  ) async throws {
    let total = max(0, repetitions) * arms.count
    try await withThrowingTaskGroup(of: (Int, RunRecord).self) { group in
      // A closure is where its function is only if it captures the parameter that says so (SE-0420).
      _ = isolation
      var begun = 0
      func begin() {
        guard begun < total else { return }
        let place = begun
        begun += 1
        group.addTask { (place, try record(arms[place % arms.count], repetition: place / arms.count)) }
      }
      for _ in 0..<max(1, workers) { begin() }
      // Records that are finished out of turn wait; a worker continues only when one was handed over, so few wait.
      var early: [Int: RunRecord] = [:]
      var handedOver = 0
      while let (place, record) = try await group.next() {
        early[place] = record
        while let record = early.removeValue(forKey: handedOver) {
          handedOver += 1
          try body(record)
        }
        while begun < total, begun - handedOver < 4 * max(1, workers),
          begun - handedOver - early.count < max(1, workers)
        {
          begin()
        }
      }
    }
  }
}
