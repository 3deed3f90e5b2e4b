// The stored messages: the past of an adopted session, and the judge of a turn that fell silent.
extension TurnMachine {
  mutating func askHistory() {
    // Of a message that is still on its way the history knows nothing: what it has may be the answer to the same words
    // in an earlier turn.
    guard var current = turn, current.phase == .running || current.phase == .asking, !current.awaitsHistory,
      link.carriesRequests
    else { return }
    current.awaitsHistory = true
    turn = current
    emit(.loadHistory)
  }

  mutating func historyLoaded(_ messages: [HistoryMessage], at now: MonotonicNanoseconds) {
    if link == .loadingHistory {
      for message in messages where message.role == "assistant" {
        answersInHistory[message.content, default: 0] += 1
      }
      lastWords = messages.last { $0.role == "user" }.map { [$0.content] } ?? []
      turn?.follow(lastWords)
      if let current = turn { lastWords?.append(current.message.text) }
      remember(.history(messages))
      if !messages.isEmpty { emit(.showHistory(messages)) }
      return openStream()
    }
    guard let current = turn, current.awaitsHistory else { return }
    turn?.awaitsHistory = false
    judge(by: messages, at: now)
    guard turn?.phase == .running, let answer = Self.answer(to: current.message, in: messages) else { return }
    setText(answer, isFinal: true)
    finish(.complete, failure: nil)
  }

  mutating func historyFailed(_ failure: RequestFailure, at now: MonotonicNanoseconds) {
    if link == .loadingHistory {
      note(.ignored("the history, which could not be loaded: \(failure)"))
      remember(.history([]))
      return openStream()
    }
    turn?.awaitsHistory = false
    if let current = turn, current.phase == .asking {
      return messageFailed(current.requestID, failure, at: now)
    }
    note(.retrying("history: \(failure)"))
  }

  /// The answer that follows the last user message, if that is the one asked about. Messages carry no request id.
  private static func answer(to message: OutgoingMessage, in messages: [HistoryMessage]) -> String? {
    guard let index = messages.lastIndex(where: { $0.role == "user" }),
      messages[index].content.hasSameBytes(as: message.text)
    else { return nil }
    return messages[messages.index(after: index)...].last { $0.role == "assistant" }?.content
  }
}
