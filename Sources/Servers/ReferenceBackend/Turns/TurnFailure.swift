/// The reason for which a turn ends without an answer.
package enum TurnFailure: Equatable, Sendable {
  case tooManyToolRounds
  case answerTooLong(limit: Int)
  /// The model gave none.
  case model(code: String, reported: String, logged: String)
  /// Something else, for the log.
  case other(String)

  init(_ error: any Error) {
    if let error = error as? ModelError {
      self = .model(code: error.eventCode, reported: error.eventMessage, logged: error.message)
    } else {
      self = .other("\(error)")
    }
  }

  /// For the log.
  var logged: String {
    switch self {
    case .tooManyToolRounds: "it called tools without end"
    case .answerTooLong(let limit): "the answer is longer than \(limit) bytes"
    case .model(_, _, let logged), .other(let logged): logged
    }
  }
}
