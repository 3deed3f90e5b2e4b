import HTTP3Engine
import LatencyReport
import LinkModel

/// One run in virtual time: the engine's client and server, a link between them, and as clock the next thing's time.
struct SimulatedRun {
  private var network: VirtualNetwork
  private var server: SimulatedServer
  private var client: SimulatedClient
  private var crossTraffic: CrossTraffic?
  private var now: Int64
  private let limit: Int64
  private let batch = BatchOwner()
  private let arm: String
  private let repetition: Int
  private let seed: UInt64
  private let toolSequence: Int?

  /// The clock's beginning: as far from zero as a machine's clock after a quarter of an hour, so that times have the
  /// usual number of digits.
  private static let beginning: Int64 = 1_000_000_000_000
  /// Steps without time going by; far above what a burst of packets takes.
  private static let mostStepsAtOnce = 1_000_000

  init(
    _ scenario: Scenario, plan: ClientPlan, arm: SimulatedArm, seed: UInt64, repetition: Int,
    certificate: SimulationCertificate
  ) throws {
    let linkSeed = scenario.linkSeed(seed: seed, repetition: repetition)
    network = try VirtualNetwork(scenario.link, seed: linkSeed)
    var mixed = SimulationGenerator(seed: linkSeed.scenario ^ linkSeed.repetition &* 0xbf58_476d_1ce4_e5b9)
    let clientRandom = RandomSource(SimulationGenerator(seed: mixed.next()))
    let serverRandom = RandomSource(SimulationGenerator(seed: mixed.next()))
    var serverConfiguration = ServerConfiguration(credentials: certificate.credentials)
    arm.configure(&serverConfiguration.connection)
    var clientConfiguration = ClientConfiguration(host: SimulationCertificate.host, verifier: certificate.verifier)
    arm.configure(&clientConfiguration.connection)
    now = Self.beginning
    server = SimulatedServer(serverConfiguration, plan: plan, random: serverRandom)
    client = SimulatedClient(clientConfiguration, plan: plan, seed: mixed.next(), random: clientRandom, at: now)
    if scenario.workload.crossTraffic == true {
      crossTraffic = try CrossTraffic(clientConfiguration, random: clientRandom, at: now)
    }
    limit = client.start + plan.deadlineNanoseconds
    self.arm = arm.name
    self.repetition = repetition
    self.seed = seed
    toolSequence = plan.toolSequence
  }

  /// Runs to the end or the deadline. Throws `CancellationError` alone: what goes wrong is in the record.
  mutating func perform() throws -> RunRecord {
    settle()
    var stepsAtOnce = 0
    var steps = 0
    while !client.isDone, let next = nextTime, next <= limit {
      stepsAtOnce = next > now ? 0 : stepsAtOnce + 1
      guard stepsAtOnce < Self.mostStepsAtOnce else {
        client.recorder.failed("The simulation stood still \(now - client.requested) ns after its beginning.")
        break
      }
      steps += 1
      if steps % 1_024 == 0 { try Task.checkCancellation() }
      now = max(now, next)
      step()
      settle()
    }
    if !client.isDone { now = max(now, limit) }
    return record
  }

  private var nextTime: Int64? {
    var next = Int64.max
    func consider(_ time: Int64?) { if let time, time < next { next = time } }
    consider(network.nextArrival)
    consider(client.connection?.engine.deadline?.signed)
    consider(crossTraffic?.connection?.engine.deadline?.signed)
    consider(server.endpoint.deadline?.signed)
    consider(client.nextAction)
    consider(server.nextEmission)
    return next == .max ? nil : next
  }

  /// Handles arrivals, timeouts and events that are due now.
  private mutating func step() {
    let time = Timestamp(now)
    while let arrival = network.receive(at: now) {
      arrival.bytes.withUnsafeBytes { bytes in
        switch arrival.direction {
        case .toServer: server.endpoint.receive(bytes, on: arrival.path, ecn: arrival.ecn, at: time)
        case .toClient:
          // A datagram for a closed socket is lost.
          let open = [client.connection, crossTraffic?.connection].compactMap(\.self)
          open.first { $0.socket == arrival.path.local }?.engine
            .receive(bytes, on: arrival.path, ecn: arrival.ecn, at: time)
        }
      }
    }
    client.connection?.engine.handleTimeout(at: time)
    crossTraffic?.connection?.engine.handleTimeout(at: time)
    server.endpoint.handleTimeout(at: time)
    server.act(at: now)
    client.act(at: now)
  }

  /// Write passes and events until both ends are quiet.
  private mutating func settle() {
    let time = Timestamp(now)
    var isBusy = true
    while isBusy {
      isBusy = false
      for connection in [client.connection, crossTraffic?.connection].compactMap(\.self) {
        while connection.engine.fill(&batch.batch, at: time) { network.send(batch.batch, .toServer, at: now) }
      }
      for mark in server.takeMarks() { network.tokenMarked(mark) }
      while server.endpoint.fill(&batch.batch, at: time) { network.send(batch.batch, .toClient, at: now) }
      while let event = client.connection?.engine.nextEvent() {
        isBusy = true
        client.handle(event, at: now)
      }
      while let event = crossTraffic?.connection?.engine.nextEvent() {
        isBusy = true
        crossTraffic?.handle(event)
      }
      while let (key, event) = server.endpoint.nextEvent() {
        isBusy = true
        server.handle(event, key, at: now)
      }
    }
  }

  private var record: RunRecord {
    let isDownload = client.recorder.plan.downloadBytes != nil
    let outcome = client.recorder.outcome(start: isDownload ? client.requested : client.start)
    let missing = outcome.events.count { $0.received == nil }
    var failures = outcome.failures
    if missing > 0 {
      if let reason = outcome.lastBreak { failures.append("The last break: \(reason)") }
      failures.append("\(missing) of \(outcome.events.count) events did not come by the deadline.")
    }
    let record = ClientRecord(
      spoken: client.connections > 0 ? "h3" : "none", connections: client.connections, requested: client.requested,
      connected: outcome.connected, start: client.start, ended: now, openings: outcome.openings,
      events: outcome.events, reconnects: outcome.reconnects, duplicates: outcome.duplicates, cpuSeconds: 0,
      software: "\(SoftwareVersions.http3), in virtual time",
      failure: failures.isEmpty ? nil : failures.joined(separator: " "))
    return RunRecord(
      arm: arm, repetition: repetition, seed: seed, toolSequence: toolSequence, client: record, packets: network.log,
      server: "ours, in virtual time")
  }
}

/// Frees a batch's storage when the run is over.
private final class BatchOwner {
  var batch = DatagramBatch()

  deinit {
    batch.deallocate()
  }
}
