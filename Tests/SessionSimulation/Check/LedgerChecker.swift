/// Judges the ledger, and whose its turns are: order, no gap, one owner, fencing, one terminal event a turn.
struct LedgerChecker {
  private struct Lease {
    let holder: String
    var until: Int64
  }

  private var lease: Lease?
  private var fence: Int64 = 0
  private var last: Int64 = 0
  private var ended: Set<String> = []
  private var claims: [String: (backend: Int, fence: Int64)] = [:]
  private var begun: Set<String> = []
  private var closed: Set<String> = []

  mutating func take(_ observation: Observation, _ violations: inout Violations) {
    switch observation {
    case .leaseGiven(let holder, let new, let until, let at):
      if let lease { violations.require(lease.holder == holder || lease.until <= at, nil, "two owners at once") }
      violations.require(new > fence, nil, "fence \(new) after \(fence)")
      fence = new
      lease = Lease(holder: holder, until: until)
    case .leaseRenewed(let old, let until):
      violations.require(old == fence && lease != nil, nil, "fence \(old) was renewed, \(fence) is the last")
      lease?.until = until
    case .leaseReleased(let old): if old == fence { lease = nil }
    case .appended(let sequence, let by, let turn, let type, _):
      violations.require(sequence == last &+ 1, nil, "event \(sequence) follows \(last)")
      violations.require(by == fence && lease != nil, nil, "event \(sequence) under fence \(by), \(fence) is the last")
      violations.require(!ended.contains(turn), nil, "event \(sequence) behind the end of \(turn)")
      last = sequence
      if LogTruth.terminalTypes.contains(type) { ended.insert(turn) }
    case .turnBegun(let turn, let request, _):
      violations.require(
        begun == closed, 12, "two turns run at once: \(begun.subtracting(closed)) and \(turn), \(request)")
      begun.insert(turn)
    case .turnClaimed(let turn, let backend, let by):
      violations.require(claims[turn].map { $0.fence < by } ?? true, nil, "\(turn) was claimed under an older fence")
      claims[turn] = (backend, by)
    case .modelAsked(let turn, let backend, _):
      // Not one that was halted either: no simulated process is halted between its proof and the question.
      violations.require(
        claims[turn]?.backend == backend, nil, "backend \(backend) asks the model for \(turn), which is another's")
    case .turnEnded(let turn, _):
      violations.require(ended.contains(turn), nil, "\(turn) is over without an end")
      violations.require(closed.insert(turn).inserted, nil, "\(turn) ended twice")
    default: break
    }
  }

  /// The world is at rest.
  func end(_ violations: inout Violations) {
    violations.require(begun == closed, nil, "turns never ended: \(begun.subtracting(closed).sorted())")
    violations.require(begun == ended, nil, "turns without a last word: \(begun.subtracting(ended).sorted())")
  }
}
