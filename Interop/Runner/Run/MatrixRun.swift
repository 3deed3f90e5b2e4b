import Foundation
import LinkEmulator

/// The whole of it: prepares, runs all cells, reports.
struct MatrixRun {
  var checkout: RunnerPlaces
  var peers: PeerFolder
  var selection: PeerSelection
  var cases: [InteropCase]
  var repeated: Int
  var out: String
  var seed: UInt64
  var jobs: Int
  var keepsCaptures: Bool
  var timeLimitSeconds: Double
  var say: @Sendable (String) -> Void

  private let stop = Stop()

  init(
    checkout: RunnerPlaces, peers: PeerFolder, selection: PeerSelection, cases: [InteropCase], repeated: Int,
    out: String,
    seed: UInt64, jobs: Int, keepsCaptures: Bool, timeLimitSeconds: Double, say: @escaping @Sendable (String) -> Void
  ) {
    self.checkout = checkout
    self.peers = peers
    self.selection = selection
    self.cases = cases
    self.repeated = repeated
    self.out = URL(fileURLWithPath: out).path
    self.seed = seed
    self.jobs = jobs
    self.keepsCaptures = keepsCaptures
    self.timeLimitSeconds = timeLimitSeconds
    self.say = say
  }

  /// Answers the exit status.
  func run() throws -> Int32 {
    let started = Date()
    let scratch = FileManager.default.temporaryDirectory.path + "/interop-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let signals = stop.watch(say: say) { try? FileManager.default.removeItem(atPath: scratch) }
    defer { for signal in signals { signal.cancel() } }
    let tool = Tool(folder: scratch, stop: stop)
    if let problem = TraceReader(tool: tool).problem() {
      say("can't be run here: \(problem)")
      return Preparation.cannotRunHere
    }
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let preparation = Preparation(checkout: checkout, peers: peers, tool: tool, scratch: scratch)
    let (available, skipped) = fetched(preparation)
    guard !available.pairs.isEmpty else {
      say("none of the peers that were asked for is there, so there is nothing to run.")
      return stop.isSet ? 130 : Preparation.cannotRunHere
    }
    let certificates = try preparation.certificates(for: cases + PublicCases.tests.prefix(1))
    for role in available.rolesOfOurs {
      guard let problem = try preparation.contractProblem(role, certificates: certificates[1] ?? "") else { continue }
      say("our endpoint as \(role.rawValue) does not keep the contract: \(problem)")
      return 1
    }
    let cellRun = CellRun(
      checkout: checkout, peers: peers, out: out, scratch: scratch, certificates: certificates, seed: seed,
      keepsCaptures: keepsCaptures, stop: stop)
    let (outcomes, notRun) = runCells(cellRun, available.pairs, until: started + timeLimitSeconds)
    let results = Results(
      start: started.timeIntervalSince1970, end: Date().timeIntervalSince1970, folder: out,
      clients: available.clients, servers: available.servers, cases: cases,
      cells: summaries(outcomes), skipped: skipped, notRun: notRun.count, environment: environment(tool))
    try ReportFiles.write(results, to: out)
    print(MatrixText.text(results) + MatrixText.details(results) + MatrixText.reasons(results), terminator: "")
    if !notRun.isEmpty { say("\(notRun.count) runs were left out: \(stop.isSet ? "interrupted" : "the time limit").") }
    say("\(results.counts); \(Int(results.end - results.start)) s; \(out)/index.html")
    if stop.isSet { return 130 }
    return results.unexplained > 0 ? 1 : 0
  }

  /// The peers that are there, and those that are not.
  private func fetched(_ preparation: Preparation) -> (PeerSelection, [Results.SkippedPeer]) {
    var available = selection
    var skipped: [Results.SkippedPeer] = []
    func isThere(_ peer: Peer, _ role: Role) -> Bool {
      guard !stop.isSet else { return false }
      guard let reason = preparation.reasonForMissing(peer) else { return true }
      say("skipped: \(peer.name) as \(role.rawValue): \(reason)")
      skipped.append(Results.SkippedPeer(name: peer.name, role: role, reason: reason))
      return false
    }
    available.clients = selection.clients.filter { isThere($0, .client) }
    available.servers = selection.servers.filter { isThere($0, .server) }
    return (available, skipped)
  }

  private func runCells(
    _ cellRun: CellRun, _ pairs: [PeerSelection.Pair], until end: Date
  ) -> (outcomes: [Cell.Place: [Outcome]], notRun: [Cell]) {
    let (stop, say) = (stop, say)
    let scheduler = Scheduler(
      Cell.all(pairs, cases, repeated: repeated), mayStart: { !stop.isSet && Date() < end },
      run: { cellRun.outcome(of: $0) },
      report: { cell, outcome, done, count in
        let names = "\(cell.pair.client.name) × \(cell.pair.server.name) \(cell.testCase.abbreviation)"
        let value = outcome.value.map { " \(Int($0.rounded())) kbps" } ?? ""
        let reason = outcome.reasons.first.map { " " + $0.prefix(160) } ?? ""
        let seconds = (outcome.seconds * 10).rounded() / 10
        say("[\(done)/\(count)] \(names) \(outcome.verdict.symbol) \(seconds) s\(value)\(reason)")
      })
    return scheduler.runAll(jobs: jobs)
  }

  private func summaries(_ outcomes: [Cell.Place: [Outcome]]) -> [Cell.Place: CellSummary] {
    let casesByName = Dictionary(cases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var summaries: [Cell.Place: CellSummary] = [:]
    for (place, list) in outcomes {
      // Ours has known failures as a server alone.
      let peers =
        selection.servers.filter { $0.name == place.server }
        + selection.clients.filter { $0.name == place.client && !$0.isOurs }
      summaries[place] = casesByName[place.testCase].flatMap { CellSummary(list, of: $0, peers) }
    }
    return summaries
  }

  private func environment(_ tool: Tool) -> [String] {
    let version = tool.run("tshark", ["--version"], seconds: 20).output.split(separator: "\n").first.map(String.init)
    let kernel = tool.run("uname", ["-srm"], seconds: 10).output.split(separator: "\n").first.map(String.init)
    return [version, kernel].compactMap { $0 } + ["seed \(seed)", "\(jobs) tests at once"]
      + cases.filter(\.isMeasurement).map { "\($0.abbreviation) \($0.repetitions * repeated) times" }
  }
}

extension PeerSelection {
  /// The parts in which our endpoint takes part.
  var rolesOfOurs: [Role] {
    let pairs = pairs
    return Role.allCases.filter { role in pairs.contains { role == .client ? $0.client.isOurs : $0.server.isOurs } }
  }
}
