/// Why a turn ended without an answer, other than by its model's failure.
enum TurnError: Error, Equatable {
  case tooManyToolRounds
  case answerTooLong(limit: Int)

  var eventCode: String {
    switch self {
    case .tooManyToolRounds: "tool_rounds_exceeded"
    case .answerTooLong: "answer_too_long"
    }
  }

  var eventMessage: String {
    switch self {
    case .tooManyToolRounds: "Maximum tool calling rounds exceeded. Please ask in smaller steps."
    case .answerTooLong(let limit): "The answer is longer than \(limit) bytes. Please ask for less."
    }
  }
}
