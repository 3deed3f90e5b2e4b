/// A racer: which of the two ways to a server.
package enum RaceSide: String, Hashable, Sendable, CaseIterable {
  /// Preferred; starts at once unless the plan says otherwise.
  case first
  /// Starts after the head start, or as soon as the first has failed.
  case second

  package var other: RaceSide {
    switch self {
    case .first: .second
    case .second: .first
    }
  }
}
