/// Judges a run by what was observed of it, after every step.
package struct SessionChecker {
  private var truth = LogTruth()
  private var ledger = LedgerChecker()
  private var stream = StreamChecker()
  private var turns: TurnChecker
  private var tools: ToolChecker
  private var conversations = ConversationChecker()
  private var found = Violations()

  /// - Parameter seesDisk: whether it is told of what reaches the client's disk, and what the client sends.
  package init(seesDisk: Bool = true) {
    turns = TurnChecker(seesConnection: seesDisk)
    tools = ToolChecker(seesDisk: seesDisk)
  }

  /// The violations, as sentences; empty for none.
  package var violations: [String] { found.sentences }

  package mutating func take(_ observation: Observation, at now: Moment) {
    truth.take(observation)
    ledger.take(observation, &found)
    stream.take(observation, at: now, truth, &found)
    turns.take(observation, at: now, truth, &found)
    tools.take(observation, at: now, truth, &found)
    conversations.take(observation, truth, &found)
  }

  /// The world is at rest, or will never be.
  ///
  /// - Parameter unrest: what has not come to an end; nil for nothing.
  package mutating func end(unrest: String?) {
    if let unrest { return found.add(nil, "the world never comes to rest: \(unrest)") }
    ledger.end(&found)
    stream.end(truth, &found)
    turns.end(&found)
    tools.end(&found)
  }
}
