/// The limits on turns.
public struct TurnLimits: Equatable, Sendable {
  /// Most rounds of model and tools.
  public var toolRounds: Int
  /// Longest answer in bytes.
  public var answerBytes: Int
  /// All tools' results of a turn in bytes; the model learns of those that were left out.
  public var resultBytes: Int
  /// Most messages of the history that the model is given, newest kept.
  public var historyMessages: Int
  /// Most turns at once, in all sessions of the database; each holds its conversation in memory. Messages that come at
  /// the same moment may make it a few more.
  public var atOnce: Int

  /// Limits; what is left out is what a production server needs.
  public init(
    toolRounds: Int = 10, answerBytes: Int = 1 << 20, resultBytes: Int = 8 << 20, historyMessages: Int = 100,
    atOnce: Int = 1_000
  ) {
    self.resultBytes = resultBytes
    self.atOnce = atOnce
    self.toolRounds = toolRounds
    self.answerBytes = answerBytes
    self.historyMessages = historyMessages
  }
}
