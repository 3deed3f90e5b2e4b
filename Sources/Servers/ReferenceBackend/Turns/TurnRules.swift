/// The rules of a turn.
package struct TurnRules: Equatable, Sendable {
  package var limits: TurnLimits
  package var streamsText: Bool
  package var asksForFeedback: Bool
  /// Whether the client receives the model's error.
  package var explainsModelErrors: Bool
  /// Whether the model may hand the session over to a person.
  package var offersEscalation: Bool
  /// The pause before the end of a turn is written once more; it doubles with each, to ``longestPause``.
  package var pause = Duration.seconds(1)
  package var longestPause = Duration.seconds(60)

  package init(
    limits: TurnLimits = TurnLimits(), streamsText: Bool = true, asksForFeedback: Bool = false,
    explainsModelErrors: Bool = false, offersEscalation: Bool = false
  ) {
    self.limits = limits
    self.streamsText = streamsText
    self.asksForFeedback = asksForFeedback
    self.explainsModelErrors = explainsModelErrors
    self.offersEscalation = offersEscalation
  }

  /// The end of a turn that failed.
  package func ending(_ failure: TurnFailure, text: String) -> TurnEnding {
    switch failure {
    case .tooManyToolRounds:
      offersEscalation
        ? .escalated(reason: ModelEscalation.tooManyRounds, text: text)
        : .failed(
          code: "tool_rounds_exceeded",
          message: "Maximum tool calling rounds exceeded. Please ask in smaller steps.")
    case .answerTooLong(let limit):
      .failed(code: "answer_too_long", message: "The answer is longer than \(limit) bytes. Please ask for less.")
    case .model(let code, let reported, let logged):
      .failed(code: code, message: explainsModelErrors ? logged : reported)
    case .other: .failed(code: "transport_error", message: "Turn processing failed")
    }
  }
}
