/// How a turn ends other than by its answer.
struct TurnEnding {
  let status: TurnStore.Status
  let event: EventPayload
  /// Whether what was said stays in the history, or the next turn's model would not know of it.
  var keepsText = false
  /// Whether a person takes over from here on.
  var escalates = false

  static let cancelled = TurnEnding(
    status: .cancelled, event: .error(code: "cancelled", message: "The turn was stopped.", recoverable: true),
    keepsText: true)

  /// A person took over in the turn's middle.
  static func takenOver(reason: String) -> TurnEnding {
    TurnEnding(status: .cancelled, event: .sessionEscalated(reason: reason), keepsText: true)
  }

  /// - Parameters:
  ///   - offersEscalation: whether there are people to take over.
  ///   - explainsModelErrors: whether the client is told what the model's error says.
  init(_ error: any Error, offersEscalation: Bool, explainsModelErrors: Bool) {
    switch error {
    case let error as ModelEscalation:
      self.init(error)
    case TurnError.tooManyToolRounds where offersEscalation:
      self.init(ModelEscalation.tooManyRounds)
    case let error as TurnError:
      self.init(code: error.eventCode, message: error.eventMessage)
    case let error as ModelError:
      self.init(code: error.eventCode, message: explainsModelErrors ? error.message : error.eventMessage)
    default:
      self.init(code: "transport_error", message: "Turn processing failed")
    }
  }

  private init(_ escalation: ModelEscalation) {
    self.init(
      status: .complete, event: .sessionEscalated(reason: escalation.reason), keepsText: true, escalates: true)
  }

  private init(code: String, message: String) {
    self.init(status: .failed, event: .error(code: code, message: message, recoverable: true))
  }

  private init(status: TurnStore.Status, event: EventPayload, keepsText: Bool = false, escalates: Bool = false) {
    self.status = status
    self.event = event
    self.keepsText = keepsText
    self.escalates = escalates
  }
}
