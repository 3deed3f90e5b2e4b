// The stored messages: the past of an adopted session, and the judge of a turn that fell silent.
extension TurnMachine {
  mutating func askHistory() {
    // Of a message that is still on its way the history knows nothing: what it has may be the answer to the same words
    // in an earlier turn.
    guard var current = turn, current.phase == .running, !current.awaitsHistory, link.state.carriesRequests else {
      return
    }
    current.awaitsHistory = true
    turn = current
    emit(.loadHistory)
  }

  mutating func historyLoaded(_ messages: [HistoryMessage], at now: MonotonicNanoseconds) {
    if link.state == .loadingHistory {
      for message in messages where message.role == "assistant" {
        answersInHistory[message.content, default: 0] += 1
      }
      lastWords = messages.last { $0.role == "user" }.map { [$0.content] } ?? []
      turn?.earlier = lastWords
      if let current = turn { lastWords?.append(current.message.text) }
      remember(.history(messages))
      if !messages.isEmpty { emit(.showHistory(messages)) }
      return link.openStream(&effects)
    }
    guard let current = turn, current.awaitsHistory else { return }
    turn?.awaitsHistory = false
    judge(by: messages, at: now)
    guard turn?.phase == .running, let answer = Self.answer(to: current.message, in: messages) else { return }
    setText(answer, isFinal: true)
    finish(.complete, failure: nil)
  }

  mutating func historyFailed(_ failure: RequestFailure, at now: MonotonicNanoseconds) {
    if link.state == .loadingHistory {
      note(.ignored("the history, which could not be loaded: \(failure)"))
      remember(.history([]))
      return link.openStream(&effects)
    }
    turn?.awaitsHistory = false
    if turn?.phase == .asking {
      return questionFailed(failure, at: now)
    }
    note(.retrying("history: \(failure)"))
  }

  /// The answer that follows the message, which is the last one with its words.
  private static func answer(to message: OutgoingMessage, in messages: [HistoryMessage]) -> String? {
    let index = messages.lastIndex { $0.role == "user" && $0.content.hasSameBytes(as: message.text) }
    guard let index else { return nil }
    return messages[messages.index(after: index)...].prefix { $0.role != "user" }.last { $0.role == "assistant" }?
      .content
  }
}
