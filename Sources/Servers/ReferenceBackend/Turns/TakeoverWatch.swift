/// Decides which turns of others a process takes up, round by round. Pure.
///
/// After an outage of the database the leases of all processes have expired, and each renews its own as soon as it is
/// back: who is first takes nothing until a lease's time has passed. What nobody has claimed since its beginning is
/// taken up once it was met for as long. Both are counted in rounds, so that no two clocks are compared.
package struct TakeoverWatch {
  /// The rounds in the time of a lease.
  package static let roundsPerLease = 4

  /// The good rounds that have to pass before anything is taken.
  private var calmRounds = 0
  /// The rounds in which turns that nobody has claimed were met.
  private var unclaimed: [String: Int] = [:]

  package init() {}

  /// The database was not there, or slow to answer.
  package mutating func failed() {
    // The round that finds it back is the first, and a lease's time begins with it.
    calmRounds = Self.roundsPerLease + 1
    unclaimed = [:]
  }

  /// A round has found sessions whose leases expired, and turns that nobody has claimed, with their sessions; returns the
  /// sessions whose turns are to be taken up.
  package mutating func found(abandoned: [String], unclaimed turns: [String: String]) -> [String] {
    unclaimed = turns.keys.reduce(into: [:]) { $0[$1] = (unclaimed[$1] ?? 0) + 1 }
    calmRounds = max(0, calmRounds - 1)
    guard calmRounds == 0 else { return [] }
    let due = turns.filter { (unclaimed[$0.key] ?? 0) > Self.roundsPerLease }
    return abandoned + Set(due.values).subtracting(abandoned).sorted()
  }
}
