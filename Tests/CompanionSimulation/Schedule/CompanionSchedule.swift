import SessionSimulation

/// A run of the companion's simulation as a value: the same schedule is the same run.
package struct CompanionSchedule: Codable, Equatable, Sendable {
  /// The conditions of a run.
  package struct Setting: Codable, Equatable, Sendable {
    /// For the times that things take.
    package var seed: UInt64
    /// The time at which all is well again, in milliseconds.
    package var end: Int

    package init(seed: UInt64, end: Int) {
      self.seed = seed
      self.end = end
    }
  }

  /// The devices that are paired.
  package static let devices = 2

  package var setting: Setting
  /// In order of time.
  package var steps: [CompanionStep]

  package init(setting: Setting, steps: [CompanionStep]) {
    self.setting = setting
    self.steps = steps
  }

  /// The plan of a question, by its turn and its place in it.
  func plan(_ key: QuestionKey) -> QuestionPlan? {
    for case .turn(key.turn, let plans, _) in steps.lazy.map(\.event) where plans.indices.contains(key.place) {
      return plans[key.place]
    }
    return nil
  }

  /// The setting on the first line, a step on each other.
  package func lines() throws -> String { try ScheduleLines.text(setting, steps) }

  /// Reads what ``lines()`` wrote. Throws for lines that are no schedule.
  package init(lines: String) throws {
    (setting, steps) = try ScheduleLines.read(lines)
    let moments = 0...24 * 3_600_000
    guard moments.contains(setting.end), steps.allSatisfy({ moments.contains($0.at) }) else {
      throw ScheduleError("A moment lies outside of the first day.")
    }
  }
}

/// A question, by its turn and its place in it.
package struct QuestionKey: Hashable, Sendable, CustomStringConvertible {
  package let turn: Int
  package let place: Int

  var turnID: String { "turn-\(turn)" }
  var itemID: String { "item-\(turn)-\(place)" }

  package init(turn: Int, place: Int) {
    self.turn = turn
    self.place = place
  }

  init?(itemID: String) {
    let parts = itemID.split(separator: "-")
    guard parts.count == 3, let turn = Int(parts[1]), let place = Int(parts[2]) else { return nil }
    self.init(turn: turn, place: place)
  }

  package var description: String { "question \(turn)-\(place)" }
}
