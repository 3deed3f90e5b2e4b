import ResolveKitCore

// The machine's words as plain facts.
extension Observation {
  /// An action as a person sees it; nil for none.
  init?(showing action: TurnAction) {
    switch action {
    case .setConnectionState(let state, _, _): self = .connection(state.rawValue)
    case .eventApplied(let envelope, let id, _):
      self = .eventApplied(id: id ?? "", turn: envelope.turnID, type: envelope.type)
    case .refuseMessage(let request, _): self = .messageRefused(request: request)
    case .appendText(let turn, let piece): self = .textShown(turn: turn, piece: piece)
    case .replaceText(let turn, let text): self = .textReplaced(turn: turn, text: text)
    case .showForeignAnswer(let turn, let text): self = .answerShown(turn: turn, text: text)
    case .turnFinished(let result):
      self = .turnFinished(
        request: result.requestID, turn: result.turnID, status: result.status.rawValue, text: result.text,
        reason: result.failure.map { "\($0.code ?? $0.status.map(String.init) ?? "") \($0.message)" })
    case .showBatch(let batch):
      self = .batchShown(id: batch.id, turn: batch.turnID, calls: batch.items.map(\.call.callID))
    case .askApproval(let question):
      self = .asked(batch: question.batchID, turn: question.turnID, calls: question.calls.map(\.callID))
    case .resultSettled(let key, let delivery): self = .resultSettled(Call(key), outcome: "\(delivery)")
    case .note(.gap): self = .gap
    case .register, .createSession, .openStream, .closeStream, .retryStreamNow, .retryAfterBackoff, .advanceCursor,
      .postMessage, .stopTurn, .showDelivery, .turnIdentified, .toolStatusChanged, .consultPolicy, .withdrawApproval,
      .keepApproval, .startTool, .cancelTool, .deliverResult, .loadHistory, .showHistory, .showHumanMessage,
      .sessionEscalated, .feedbackRequested, .scheduleDeadline, .cancelDeadline, .note:
      return nil
    }
  }

  /// The disk's state as a process that begins reads it.
  static func durable(in image: SessionImage) -> [Observation] {
    var facts = image.turn.map { [Observation.messageDurable(request: $0.message.requestID)] } ?? []
    if let request = image.left?.message.requestID {
      facts += [.messageDurable(request: request), .messageLeft(request: request)]
    }
    for call in image.calls {
      switch call.progress {
      case .waiting: break
      case .intended: facts.append(.startDurable(Call(call.call.key)))
      case .recorded:
        facts += [.startDurable(Call(call.call.key)), .resultDurable(Call(call.call.key))]
      case .settled(_, _, let delivery, _):
        facts += [
          .startDurable(Call(call.call.key)), .resultDurable(Call(call.call.key)),
          .resultSettled(Call(call.call.key), outcome: "\(delivery)"),
        ]
      }
    }
    return facts
  }

  /// A record that has reached the disk; nil where nobody waits for it.
  init?(durable entry: JournalEntry) {
    switch entry {
    case .message(let message, _): self = .messageDurable(request: message.requestID)
    case .intended(let call): self = .startDurable(Call(call.key))
    case .result(let key, _, _): self = .resultDurable(Call(key))
    case .applied(let id): self = .cursorDurable(id)
    // What was kept of it before is on the disk as well, and reaches it now.
    case .cursorDropped: self = .cursorForgotten
    case .origin, .session, .history, .heard, .text, .correctedText, .turnFinished, .leftMessage, .abandoned,
      .abandonedEnded, .call, .settled, .foreignTurn, .humanMessage, .escalated, .image:
      return nil
    }
  }
}
