package import EnginePair
import HTTP3Engine

/// The sum of many simulated scenarios.
package struct SimulationReport: Sendable, CustomStringConvertible {
  package private(set) var seeds = 0
  package private(set) var requests = 0
  package private(set) var faults: [LinkFault: Int] = [:]
  package private(set) var seedsWithFault: [LinkFault: Int] = [:]
  package private(set) var restarts = 0
  package private(set) var resumptions = 0
  package private(set) var migrations = 0
  package private(set) var earlyDataTaken = 0
  package private(set) var earlyContentCount: UInt64 = 0
  package private(set) var errors: [String: Int] = [:]
  /// Seeds with an error, and those among them whose server was not started again.
  package private(set) var seedsWithError = 0
  package private(set) var seedsWithUncausedError: [UInt64] = []
  /// Seeds whose server ended the connection because its library had counted a connection id twice.
  package private(set) var seedsWithMiscount: [UInt64] = []
  package private(set) var failures: [SimulationResult] = []

  package init() {}

  package mutating func add(_ result: SimulationResult) {
    seeds += 1
    requests += result.requests
    for (fault, count) in result.faults {
      faults[fault, default: 0] += count
      seedsWithFault[fault, default: 0] += 1
    }
    if result.hasRestarted { restarts += 1 }
    if result.hasRestarted, result.hasResumed { resumptions += 1 }
    if result.hasMoved { migrations += 1 }
    if result.hasSentEarly { earlyDataTaken += 1 }
    earlyContentCount += result.earlyContentCount
    for error in result.errors { errors["\(error.code)", default: 0] += 1 }
    if !result.errors.isEmpty {
      seedsWithError += 1
      if !result.hasRestarted { seedsWithUncausedError.append(result.seed) }
    }
    if result.requestsOfMiscounts > 0 { seedsWithMiscount.append(result.seed) }
    if !result.violations.isEmpty { failures.append(result) }
  }

  /// Whether at most one in a hundred seeds ends with an error although the server was there all the time.
  package var hasFewErrors: Bool { seedsWithUncausedError.count * 100 <= seeds }

  /// Whether at most one in five hundred ends by the library's miscount: two in 4 000 did.
  package var hasFewMiscounts: Bool { seedsWithMiscount.count * 500 <= max(seeds, 500) }

  /// Faults that never happened.
  package var missing: [LinkFault] { LinkFault.allCases.filter { faults[$0] == nil } }

  /// Whether the client continued elsewhere, and came back with early data that was accepted.
  package var hasAllSteps: Bool { migrations > 0 && earlyDataTaken > 0 }

  package var description: String {
    var lines = ["\(seeds) seeds, \(requests) requests"]
    for fault in LinkFault.allCases {
      lines.append("  \(fault): \(faults[fault] ?? 0) times, in \(seedsWithFault[fault] ?? 0) seeds")
    }
    lines.append("  restart of the server: \(restarts), after which \(resumptions) clients resumed their session")
    lines.append("  migration of the client: \(migrations); early data of one that came back: \(earlyDataTaken)")
    if earlyContentCount > 0 { lines.append("  content that came by repeats first: \(earlyContentCount) bytes") }
    lines.append(
      "  seeds with a typed error: \(seedsWithError), \(seedsWithUncausedError.count) of them without a restart")
    for (code, count) in errors.sorted(by: { $0.key < $1.key }) { lines.append("    \(code): \(count) requests") }
    if !seedsWithMiscount.isEmpty {
      lines.append("  a connection id counted twice: seeds \(Self.first(of: seedsWithMiscount))")
    }
    if !seedsWithUncausedError.isEmpty {
      lines.append("    without a restart: seeds \(Self.first(of: seedsWithUncausedError))")
    }
    return lines.joined(separator: "\n")
  }

  private static func first(of seeds: [UInt64]) -> [String] { seeds.sorted().prefix(20).map(String.init) }
}
