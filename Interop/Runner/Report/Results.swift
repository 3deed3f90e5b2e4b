/// Everything that a report shows.
struct Results: Sendable {
  /// A peer that was requested and is not available.
  struct SkippedPeer: Hashable, Sendable {
    var name: String
    var role: Role
    var reason: String
  }

  /// Seconds since 1970.
  var start: Double
  var end: Double
  /// The folder of results, as it was given.
  var folder: String
  var clients: [Peer]
  var servers: [Peer]
  var cases: [InteropCase]
  var cells: [Cell.Place: CellSummary]
  var skipped: [SkippedPeer] = []
  /// Runs that the time limit or an interruption left out.
  var notRun = 0
  /// "tshark 4.0.17", the kernel, what else the verdicts depend on.
  var environment: [String] = []

  var tests: [InteropCase] { cases.filter { !$0.isMeasurement } }
  var measurements: [InteropCase] { cases.filter(\.isMeasurement) }

  func summary(_ client: Peer, _ server: Peer, _ testCase: InteropCase) -> CellSummary? {
    cells[Cell.Place(client: client.name, server: server.name, testCase: testCase.name)]
  }

  func count(_ verdict: Verdict) -> Int { cells.values.count { $0.verdict == verdict } }

  /// Failures of which nobody knows why.
  var unexplained: Int { cells.values.count { $0.verdict == .failed && $0.explanation == nil } }

  /// "280 succeeded, 65 unsupported, 29 failed, 1 of them not explained".
  var counts: String {
    let counts = Verdict.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    return unexplained > 0 ? counts + ", \(unexplained) of them not explained" : counts
  }

  /// The folder of a cell's files, within the folder of results.
  static func folder(_ client: Peer, _ server: Peer, _ testCase: InteropCase) -> String {
    "\(PeerSelection.Pair(client: client, server: server).name)/\(testCase.name)"
  }
}
