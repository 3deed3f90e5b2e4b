import ResolveKitCore

/// A demonstrator, no language model, and it says so: the same words always get the same answer, without a network.
///
/// It calls the client's tools when the words fit and repeats their results; it tells a story of as many words as
/// asked for; else it quotes the message.
public struct DemoModel: ModelAdapter {
  /// "demo".
  public let name = "demo"
  /// Words per second; 0 for as fast as they can be taken.
  private let tokenRate: Double
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - tokenRate: words per second, 0.001 at least; 0 or less is as fast as possible.
  ///   - clock: what the pace is kept by.
  public init(tokenRate: Double = 25, clock: any Clock<Duration> = ContinuousClock()) {
    self.tokenRate = tokenRate.isFinite && tokenRate > 0 ? max(0.001, tokenRate) : 0
    self.clock = clock
  }

  /// Answers by the words of the last message; see ``ModelAdapter/reply(to:output:)``.
  public func reply(
    to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
  ) async throws {
    let answer = DemoAnswer(to: conversation)
    let words = Self.words(of: answer.text)
    try await stream(words, by: clock, output)
    let usage = ModelUsage(promptTokens: answer.promptWords, completionTokens: words.count)
    try await output(.usage(usage))
    if !answer.toolCalls.isEmpty { try await output(.toolCalls(answer.toolCalls)) }
  }

  /// Each word is due at a moment counted from the start, so that slow writing of one does not delay the rest.
  private func stream<C: Clock>(
    _ words: [String], by clock: C, _ output: @Sendable (ModelOutput) async throws -> Void
  ) async throws where C.Duration == Duration {
    let start = clock.now
    for (index, word) in words.enumerated() {
      if tokenRate > 0 {
        let due = start.advanced(by: .seconds(Double(index) / tokenRate))
        if due > clock.now { try await clock.sleep(until: due, tolerance: nil) }
      }
      try Task.checkCancellation()
      try await output(.text(word))
    }
  }

  /// Cuts before each space or line end, so that the pieces joined are the text.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var hasLetters = false
    for character in text {
      if character.isWhitespace, hasLetters {
        words.append(word)
        word = ""
        hasLetters = false
      }
      if !character.isWhitespace { hasLetters = true }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
