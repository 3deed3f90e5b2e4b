/// How much one turn may do.
public struct TurnLimits: Equatable, Sendable {
  /// Most rounds of model and tools.
  public var toolRounds: Int
  /// Longest answer in bytes.
  public var answerBytes: Int
  /// Most messages of the history that the model is given, newest kept.
  public var historyMessages: Int

  public init(toolRounds: Int = 10, answerBytes: Int = 1 << 20, historyMessages: Int = 100) {
    self.toolRounds = toolRounds
    self.answerBytes = answerBytes
    self.historyMessages = historyMessages
  }
}
