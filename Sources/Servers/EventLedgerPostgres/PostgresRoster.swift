/// The order in which a pool's workers are used: those with a connection first, and one whose last connection could not
/// be made not before its pause is over, as long as others are at work. Pure.
struct PostgresRoster {
  /// Workers that are free and have a connection, the last used last.
  private var connected: [Int] = []
  /// Workers that are free and have none, with the end of their pause.
  private var others: [(worker: Int, pause: ContinuousClock.Instant?)]
  private var atWork = 0

  init(workers: Int) { others = (0..<workers).map { ($0, nil) } }

  /// A worker for a job that comes; nil where the job is to wait for one of those at work. Where none is at work, one
  /// that pauses is used: it tells at once that there is no server.
  mutating func take(at now: ContinuousClock.Instant) -> Int? {
    guard let worker = connected.popLast() ?? takeOther(at: now) else { return nil }
    atWork += 1
    return worker
  }

  private mutating func takeOther(at now: ContinuousClock.Instant) -> Int? {
    if let place = others.firstIndex(where: { other in other.pause.map { $0 <= now } ?? true }) {
      return others.remove(at: place).worker
    }
    return atWork == 0 ? others.popLast()?.worker : nil
  }

  /// Whether a worker that could not make its connection leaves what waits to others, which are at work.
  var hasOthersAtWork: Bool { atWork > 1 }

  /// A worker is done and has nothing else to do.
  mutating func putBack(_ worker: Int, _ link: PostgresSession.Link) {
    atWork -= 1
    switch link {
    case .connected: connected.append(worker)
    case .none: others.append((worker, nil))
    case .pausing(let end): others.append((worker, end))
    }
  }
}
