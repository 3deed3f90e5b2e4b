/// A run's observations as lines for a person.
package struct SessionLogLines {
  package init() {}

  package mutating func line(_ observation: Observation, of session: String?, at now: Moment) -> String {
    let milliseconds = now / 1_000_000
    let digits = String(milliseconds % 1_000)
    let padded = String(repeating: "0", count: 3 - digits.count) + digits
    return "\(milliseconds / 1_000).\(padded) s  \(session.map { "\($0)  " } ?? "")\(observation)"
  }
}
