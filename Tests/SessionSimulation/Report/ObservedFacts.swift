import Foundation

/// Facts that were gathered from real programs, as JSON lines, for the same judge.
package enum ObservedFacts {
  private struct Fact: Decodable {
    /// Milliseconds since the beginning.
    let at: Int
    let fact: Observation
  }

  /// Judges what can be seen from outside: screens and the database, not the client's disk. Returns the violations, as
  /// sentences. Throws for lines that are no facts.
  package static func judge(lines: String) throws -> [String] {
    let decoder = JSONDecoder()
    var checker = SessionChecker(seesDisk: false)
    var last = 0
    for line in lines.split(separator: "\n") {
      let fact = try decoder.decode(Fact.self, from: Data(line.utf8))
      guard SessionSchedule.moments.contains(fact.at), fact.at >= last else {
        throw ScheduleError("A fact's moment lies outside of the first day, or before that of the fact above it.")
      }
      last = fact.at
      checker.take(fact.fact, at: Moment(0).adding(milliseconds: fact.at))
    }
    checker.end(unrest: nil)
    return checker.violations
  }
}
