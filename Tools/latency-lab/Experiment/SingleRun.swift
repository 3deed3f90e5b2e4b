import Foundation
import LatencyReport
import LinkEmulator
import LinkModel

/// One run of one arm: a fresh link, a fresh server, one client.
struct SingleRun: Sendable {
  let scenario: Scenario
  let plans: [UInt64: ClientPlan]
  let materials: RunMaterials
  let server: ServerChoice
  let serverName: String

  struct Outcome: Sendable {
    var record: RunRecord
    var log: PacketLog
  }

  /// - Parameters:
  ///   - captureFolder: where the capture of both sides goes, and the traces of our server; nil for none.
  ///   - onArrival: called with each event as our own client reports it.
  func perform(
    _ run: RunOrder.Run, captureFolder: String?, onArrival: (@Sendable (EventArrival) -> Void)? = nil
  ) async throws -> Outcome {
    guard let plan = plans[run.seed] else { throw LabError(.failed, "There is no plan for the seed \(run.seed).") }
    let folder = materials.folder.appendingPathComponent("\(run.arm.name)-\(run.repetition)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var options = EmulatedLink.Options()
    options.congestionControl = run.arm.congestionControl
    options.tuning = run.arm.tuning
    options.hasIPv6 = false
    options.captureFolder = captureFolder
    let link = try EmulatedLink(
      conditions: scenario.link, seed: scenario.linkSeed(seed: run.seed, repetition: run.repetition), options: options)
    let processes = RunProcesses(
      link: link, materials: materials, planFile: materials.planFile(seed: run.seed), server: server,
      logFolder: folder, marksTokens: scenario.link.losesByToken, qlogFolder: captureFolder)
    do {
      try link.start()
      let servers = try await processes.startServer(for: run.arm)
      if scenario.workload.crossTraffic == true { try processes.startCrossTraffic() }
      let before = servers.compactMap(\.cpuSeconds)
      let out = folder.appendingPathComponent("record.json")
      let meter = LoadMeter()
      let client = try await follow(run.arm, plan, processes, out: out, onArrival)
      let load = meter.load
      let after = servers.compactMap(\.cpuSeconds)
      let cpu = before.count == after.count && !after.isEmpty ? after.reduce(0, +) - before.reduce(0, +) : nil
      let log = link.stop()
      guard log.failedWrites == 0, log.unloggedCount == 0 else {
        throw LabError(
          .failed,
          """
          The link lost track: \(log.failedWrites) packets were not taken by the receiver's kernel, \
          \(log.unloggedCount) did not fit into the log.
          """)
      }
      let record = RunRecord(
        arm: run.arm.name, repetition: run.repetition, seed: run.seed, toolSequence: plan.toolSequence, client: client,
        packets: log.entries, serverCPUSeconds: cpu, server: serverName, load: load)
      return Outcome(record: record, log: log)
    } catch {
      link.stop(grace: .zero)
      throw error
    }
  }

  /// Runs the client to its end and reads its record; one that fails gives a record that says so.
  private func follow(
    _ arm: Arm, _ plan: ClientPlan, _ processes: RunProcesses, out: URL,
    _ onArrival: (@Sendable (EventArrival) -> Void)?
  ) async throws -> ClientRecord {
    let started = PreciseTimer.now
    let arrivals = try onArrival.map { _ in try OutputLines(name: "arrivals") }
    let process = try processes.startClient(arm, out: out.path, arrivals: arrivals)
    arrivals?.processHasStarted()
    let reading = Task {
      guard let arrivals, let onArrival else { return }
      for await line in arrivals.lines { EventArrival(line).map(onArrival) }
    }
    let limit = Duration.milliseconds(plan.leadMilliseconds + plan.deadlineMilliseconds) + .seconds(20)
    let watch = Task {
      try await Task.sleep(for: limit)
      process.kill()
    }
    defer { watch.cancel() }
    let ending = try await process.ended()
    await reading.value
    guard ending.isSuccess, let data = try? Data(contentsOf: out) else {
      return failed(
        arm, plan, from: started, "The client \(ending.sentence). \(processes.lastWords(of: "client"))", ending)
    }
    do {
      var record = try JSONDecoder().decode(ClientRecord.self, from: data)
      // A client that gives up early must not gain by it: what never came is counted until the deadline.
      if record.events.contains(where: { $0.received == nil }) {
        record.ended = max(record.ended, record.start + plan.deadlineNanoseconds)
      }
      if case .command = arm.program, let failure = record.failure {
        record.failure = "\(failure) \(processes.lastWords(of: "client"))"
      }
      return record
    } catch {
      return failed(arm, plan, from: started, "The client's record can't be read: \(error)", ending)
    }
  }

  private func failed(
    _ arm: Arm, _ plan: ClientPlan, from started: Int64, _ reason: String, _ ending: ProcessEnding
  ) -> ClientRecord {
    let start = started + plan.leadNanoseconds
    let end = max(PreciseTimer.now, start + plan.deadlineNanoseconds)
    let events = plan.offsetsNanoseconds.enumerated().flatMap { stream, offsets in
      offsets.enumerated().map { sequence, offset in
        EventRecord(stream: stream, sequence: sequence, scheduled: start + offset, written: nil, received: nil)
      }
    }
    return ClientRecord(
      spoken: "none", connections: 0, requested: started, connected: nil, start: start, ended: end,
      openings: [], events: events, cpuSeconds: (ending.userSeconds ?? 0) + (ending.systemSeconds ?? 0),
      software: arm.label,
      failure: reason)
  }
}
