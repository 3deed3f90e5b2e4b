/// The data that a turn needs to begin, or to continue in another process.
package struct TurnMaterial: Equatable, Sendable {
  package var session: StoredSession
  package var history: [MessageRecord]
  /// The tools that the session may use.
  package var functions: [FunctionRecord]
  /// The rounds that were made already; the last one's calls may wait for their results.
  package var rounds: [ModelRound]
  /// The reason to end it at once; nil for none.
  package var interruption: TurnInterruption?

  package init(
    session: StoredSession, history: [MessageRecord], functions: [FunctionRecord], rounds: [ModelRound] = [],
    interruption: TurnInterruption? = nil
  ) {
    self.session = session
    self.history = history
    self.functions = functions
    self.rounds = rounds
    self.interruption = interruption
  }
}
