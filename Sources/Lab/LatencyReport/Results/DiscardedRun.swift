package struct DiscardedRun: Codable, Hashable, Sendable {
  package enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
    case warmUp, nothingCame, serverLate, linkLate, steal, pressure, notMade, twice

    /// The reason's words, as in "2 link late".
    var label: String {
      switch self {
      case .warmUp: "warm-up"
      case .nothingCame: "nothing came"
      case .serverLate: "server late"
      case .linkLate: "link late"
      case .steal: "processor time stolen"
      case .pressure: "processors busy"
      case .notMade: "not made"
      case .twice: "there already"
      }
    }
  }

  package var arm: String
  package var repetition: Int
  package var reason: Reason
  /// The rule that it fell under, with the numbers; ``ExperimentRules/stated`` says when it was made.
  package var rule: String

  package init(arm: String, repetition: Int, reason: Reason, rule: String) {
    self.arm = arm
    self.repetition = repetition
    self.reason = reason
    self.rule = rule
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    arm = try container.decode(String.self, forKey: .arm)
    repetition = try container.decode(Int.self, forKey: .repetition)
    rule = try container.decode(String.self, forKey: .rule)
    reason = try container.decodeIfPresent(Reason.self, forKey: .reason) ?? Self.reason(ofRule: rule)
  }

  /// The reason for a rule of older files, which have the sentence alone.
  private static func reason(ofRule rule: String) -> Reason {
    let beginnings: [(String, Reason)] = [
      ("warm-up", .warmUp), ("nothing came", .nothingCame), ("the server wrote", .serverLate),
      ("the emulated link was", .linkLate), ("a run of this arm", .twice),
    ]
    return beginnings.first { rule.hasPrefix($0.0) }?.1 ?? .notMade
  }
}
