import Foundation
import LatencyReport
import LinkEmulator
import LinkModel
import ToolSupport

/// Makes the runs of an experiment, one after the other, and then its report.
struct Experiment: Sendable {
  let request: ExperimentRequest
  /// The plans by seed: a schedule may have draws of its own.
  private let plans: [UInt64: ClientPlan]

  struct Outcome: Sendable {
    var results: ExperimentResults
    var wasInterrupted: Bool
  }

  init(_ request: ExperimentRequest) throws {
    self.request = request
    try request.server.check(for: request.scenario.link)
    // The authority's file is made with the run's materials.
    var plans: [UInt64: ClientPlan] = [:]
    for seed in request.seeds.all {
      plans[seed] = try request.scenario.plan(origin: RunMaterials.origin, authorityFile: "made later", seed: seed)
    }
    self.plans = plans
  }

  /// Runs until all is done or the task is cancelled; what is there by then is analysed and written.
  func perform() async throws -> Outcome {
    try OutputFolder(request.folder).requireUnused()
    let companions = try ReportWriter.companions(request.companions)
    let serverName = try await Availability.server(request.server)
    let (arms, absent) = await Availability.arms(request.arms)
    guard !arms.isEmpty else {
      throw LabError(.unavailable, "None of the arms can run here. \(absent.joined(separator: " "))")
    }
    for reason in absent { StandardError.write("latency-lab: \(reason)") }
    let calibration = try request.calibration ?? LinkCalibration.measure()
    let materials = try RunMaterials(plans: plans)
    defer { materials.remove() }
    let folder = ExperimentFolder(request.folder)
    try folder.create()
    try OutputFolder(request.folder).write(request.scenario)
    var description = Description(request: request, arms: arms, absent: absent, calibration).description
    description.provenance.versions.append(await Availability.revision())
    try folder.write(description)

    let run = SingleRun(
      scenario: request.scenario, plans: plans, materials: materials, server: request.server, serverName: serverName)
    let ending = try await performRuns(run, arms, folder)
    description.provenance.finished = MachineFacts.now
    description.provenance.loadAfter = MachineFacts.load
    description.provenance.settings.append(NamedValue("emulated link", ending.link))
    try folder.write(description)
    let results = try ReportWriter(folder: request.folder)
      .write(companions: companions)
    return Outcome(results: results, wasInterrupted: ending.wasInterrupted)
  }

  private struct Ending {
    var wasInterrupted = false
    /// The link's state over the runs, in words.
    var link = "no run was made"
  }

  private func performRuns(_ single: SingleRun, _ arms: [Arm], _ folder: ExperimentFolder) async throws -> Ending {
    var ending = Ending()
    let order = RunOrder(arms: arms, repetitions: request.repetitions, seeds: request.seeds)
    var progress = Progress(total: order.runs.count)
    var discards: [DiscardedRun] = []
    for run in order.runs {
      if Task.isCancelled { break }
      let name = run.repetition == RunOrder.warmUp ? "warm-up" : "run \(run.repetition + 1) of \(request.repetitions)"
      progress.begin("\(request.scenario.name): \(run.arm.name), \(name)")
      do {
        let outcome = try await single.perform(run, captureFolder: captureFolder(for: run)?.url.path)
        ending.link = Self.words(for: outcome.log)
        try folder.write(outcome.record)
        try keepLog(of: run, outcome.log)
        progress.end("\(run.arm.name), \(name): \(Self.summary(of: outcome.record))")
        if let failure = outcome.record.client.failure { progress.note("\(run.arm.name), \(name): \(failure)") }
      } catch is CancellationError {
        break
      } catch  where run.repetition >= 0 && (error is LabError || error is EmulatorError) {
        // The others continue: one run that could not be made is a line in the report.
        discards.append(
          DiscardedRun(arm: run.arm.name, repetition: run.repetition, reason: .notMade, rule: "\(error)"))
        try folder.write(discards: discards)
        progress.end("\(run.arm.name), \(name): \(error)")
      }
    }
    ending.wasInterrupted = Task.isCancelled
    return ending
  }

  private static func words(for log: PacketLog) -> String {
    (log.isRealtime ? "SCHED_FIFO" : "usual scheduling") + (log.isMemoryLocked ? ", memory locked" : "")
  }

  private static func summary(of record: RunRecord) -> String {
    let events = record.client.events
    let received = events.count { $0.received != nil }
    let dropped = record.packets.count { $0.verdict == .dropped }
    return "\(received) of \(events.count) events, \(dropped) of \(record.packets.count) packets dropped"
  }

  // MARK: What is kept beside the record

  private func isCaptured(_ run: RunOrder.Run) -> Bool {
    switch request.capture {
    case .none: false
    case .first: run.repetition == 0
    case .all: true
    }
  }

  private func captureFolder(for run: RunOrder.Run) -> CaptureFolder? {
    guard isCaptured(run) else { return nil }
    return CaptureFolder(in: request.folder, arm: run.arm.name, repetition: run.repetition)
  }

  private func keepLog(of run: RunOrder.Run, _ log: PacketLog) throws {
    if let error = log.captureError { StandardError.write("latency-lab: \(error)") }
    guard let folder = captureFolder(for: run) else { return }
    try log.writeCSV(to: "\(folder.url.path)/packets.csv")
    try folder.write(
      CaptureFacts(
        wallClockOffsetNanoseconds: log.wallClockOffset, isTCPComplete: log.tcp?.isComplete ?? false,
        tcpSamplerNanoseconds: log.tcp?.processorNanoseconds ?? 0))
  }
}
