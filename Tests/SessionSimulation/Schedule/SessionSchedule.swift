/// A run of the simulation as a value: all that happens in it that is not the programs' own doing. The same schedule is the
/// same run, whatever made it.
package struct SessionSchedule: Codable, Equatable, Sendable {
  /// The conditions of a run.
  package struct Setting: Codable, Equatable, Sendable {
    /// The stream's line ends.
    package enum LineEnd: String, Codable, CaseIterable, Sendable {
      case lineFeed
      case carriageReturn
      case both
    }

    /// For the times that things take.
    package var seed: UInt64
    /// 1, which has the database to itself, or 2.
    package var backends: Int
    /// Clients, each with a session of its own; nil: 1.
    package var clients: Int?
    /// Records after which the client's journal is compacted; nil: never.
    package var compactsEvery: Int?
    /// nil: by line feeds.
    package var lineEnd: LineEnd?
    /// The time at which all is well again, in milliseconds.
    package var end: Int

    package var clientCount: Int { clients ?? 1 }
  }

  /// The milliseconds at which something can happen: the first day.
  static let moments = 0...24 * 3_600_000

  package var setting: Setting
  /// In order of time.
  package var steps: [SessionStep]

  package init(setting: Setting, steps: [SessionStep]) {
    self.setting = setting
    self.steps = steps
  }

  /// The plan of a message's turn.
  func plan(_ message: Int) -> TurnPlan? {
    for case .say(message, let plan) in steps.lazy.map(\.event) { return plan }
    return nil
  }

  // MARK: JSON lines

  /// The setting on the first line, a step on each other.
  package func lines() throws -> String { try ScheduleLines.text(setting, steps) }

  /// Reads what ``lines()`` wrote. Throws for lines that are no schedule.
  package init(lines: String) throws {
    (setting, steps) = try ScheduleLines.read(lines)
    try check()
  }

  private func check() throws(ScheduleError) {
    let moments = Self.moments
    guard (1...2).contains(setting.backends) else { throw ScheduleError("There are 1 or 2 backends.") }
    guard (1...3).contains(setting.clientCount) else { throw ScheduleError("There are 1 to 3 clients.") }
    guard moments.contains(setting.end), steps.allSatisfy({ moments.contains($0.at) }) else {
      throw ScheduleError("A moment lies outside of the first day.")
    }
    guard setting.compactsEvery.map({ $0 > 0 }) ?? true else { throw ScheduleError("compactsEvery is 1 or more.") }
  }
}

/// The reason for which a text is no schedule, as a sentence.
package struct ScheduleError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
