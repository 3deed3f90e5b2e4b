/// Something that happens at a moment: a turn of codex, or a fault.
package struct CompanionStep: Codable, Equatable, Sendable {
  package enum Event: Codable, Equatable, Sendable {
    /// Codex begins a turn, as soon as it runs and has none. One question after the other, or all at once.
    case turn(Int, [QuestionPlan], atOnce: Bool)
    /// Kills the companion before the `step`th thing that it does from now on.
    case killCompanion(step: Int, down: Int)
    /// Everything in the companion stands still.
    case pauseCompanion(for: Int)
    /// Ends codex, and all that it runs.
    case killCodex(down: Int)
    /// The companion loses its connection to codex, which runs on.
    case cutCodex(for: Int)
    /// A device is out of reach.
    case cutDevice(Int, for: Int)
    /// The device's next decision arrives, and the answer to it does not.
    case loseAnswer(Int)
  }

  /// Milliseconds since the beginning.
  package var at: Int
  package var event: Event

  package init(at: Int, _ event: Event) {
    self.at = at
    self.event = event
  }
}
