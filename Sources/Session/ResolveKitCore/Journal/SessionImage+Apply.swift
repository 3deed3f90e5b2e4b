// The fold: one entry after the other.
extension SessionImage {
  package mutating func apply(_ record: JournalRecord) {
    for entry in record.entries { apply(entry) }
    if startedAt == 0 { startedAt = record.wallMilliseconds }
    updatedAt = max(updatedAt, record.wallMilliseconds)
    time = record.time
  }

  private mutating func apply(_ entry: JournalEntry) {
    switch entry {
    case .origin(let server, let deviceID):
      self.server = server
      self.deviceID = deviceID
    case .session(let id):
      if sessionID == nil { sessionID = id }
    case .history(let messages): take(messages)

    case .message(let message, let at):
      turn = Turn(message: message, startedAt: at)
      left = nil
      abandoned.removeAll { $0.requestID == message.requestID }
      // One that was left continues where it stands.
      if !transcript.contains(where: { $0.id == message.requestID }) {
        add(ResolveKitChatMessage(id: message.requestID, role: .user, text: message.text))
      }
      if title.isEmpty { title = String(message.text.prefix { !$0.isNewline }.prefix(200)) }
    case .heard(let turnID):
      turn?.isHeard = true
      if let turnID { turn?.turnID = turnID }
    case .text(let text): turn?.text += text
    case .correctedText(let text): turn?.text = text
    case .turnFinished(let status, _): finish(status)
    case .leftMessage(let requestID, let arrival): learn(arrival, of: requestID)
    case .abandoned(let reference):
      abandoned.removeAll { $0.requestID == reference.requestID }
      abandoned.append(reference)
      if abandoned.count > TurnPolicy.maximumAbandonedTurns { abandoned.removeFirst() }
    case .abandonedEnded(let requestID, let turnID):
      abandoned.removeAll { $0.requestID == requestID }
      if let turnID { finishedTurns.insert(turnID) }
      forgetCalls()

    case .call(let call): update(call.key, call) { $0.progress = .waiting }
    case .intended(let call): update(call.key, call) { $0.progress = .intended }
    case .result(let key, let payload, let status):
      update(key, nil) { $0.progress = .recorded(payload, status) }
    case .settled(let key, let delivery, let at):
      update(key, nil) {
        if case .recorded(let payload, let status) = $0.progress {
          $0.progress = .settled(payload, status, delivery, at: at)
        }
      }

    case .foreignTurn(let id, let text, let isShown):
      finishedTurns.insert(id)
      if isShown {
        showAnswer(ResolveKitChatMessage(id: id, role: .assistant, text: text))
      } else if let count = answersInHistory[text] {
        answersInHistory[text] = count > 1 ? count - 1 : nil
      }
    case .humanMessage(let id, let text):
      add(ResolveKitChatMessage(id: id ?? "\(transcript.count)", role: .humanAgent, text: text))
    case .escalated(let reason): escalationReason = reason

    case .applied(let id):
      seen.insert(id)
      cursor = id
    case .cursorDropped: cursor = nil
    case .image(let image): self = image
    }
  }

  private mutating func take(_ messages: [HistoryMessage]) {
    isHistoryKnown = true
    for message in messages {
      if message.role == "assistant" { answersInHistory[message.content, default: 0] += 1 }
      add(message.chatMessage)
    }
  }

  private mutating func finish(_ status: TurnResult.Status) {
    guard let ended = turn else { return }
    if status != .complete {
      left = LeftMessage(
        message: ended.message, earlier: lastWords,
        arrival: ended.isHeard ? .ended : .unknown(since: ended.startedAt))
    }
    turn = nil
    let mayRunOn = status == .cancelled || abandoned.contains { $0.requestID == ended.message.requestID }
    if ended.isHeard, !mayRunOn { finishedTurns.insert(ended.knownID) }
    if status == .complete, ended.turnID == nil { answersInHistory[ended.text, default: 0] += 1 }
    if !ended.text.isEmpty { add(ResolveKitChatMessage(id: ended.knownID, role: .assistant, text: ended.text)) }
    forgetCalls()
  }

  private mutating func learn(_ arrival: LeftMessage.Arrival?, of requestID: String) {
    guard left?.message.requestID == requestID else { return }
    guard let arrival else { return left = nil }
    left?.arrival = arrival
    // What the server has not got is no part of the conversation.
    guard arrival == .no, let index = transcript.lastIndex(where: { $0.id == requestID }) else { return }
    transcriptBytes -= transcript.remove(at: index).text.utf8.count
  }

  /// A call of a turn that is over is not asked for again, and would not be run: only what is to be delivered is kept.
  private mutating func forgetCalls() {
    let awaited = abandoned.map { $0.turnID ?? $0.requestID } + (turn.map { [$0.knownID] } ?? [])
    calls.removeAll { call in
      guard case .settled = call.progress else { return false }
      return !awaited.contains { $0.hasSameBytes(as: call.call.key.turnID) }
    }
  }

  private mutating func update(_ key: ToolCallKey, _ call: ToolCall?, _ change: (inout Call) -> Void) {
    guard let index = calls.lastIndex(where: { $0.call.key == key }) else {
      // Where the call's own record was damaged, its result is delivered all the same.
      let request = ResolveKitToolCallRequest(callID: key.callID, functionName: "", arguments: [:])
      let known = call ?? ToolCall(key: key, request: request, requiresApproval: true, arrivedAt: time)
      var added = Call(call: known, progress: .waiting)
      change(&added)
      return calls.append(added)
    }
    if let call { calls[index].call = call }
    change(&calls[index])
  }

  /// The answer of a turn that had ended here takes the place of what was shown of it.
  private mutating func showAnswer(_ answer: ResolveKitChatMessage) {
    let index = transcript.lastIndex { $0.role == answer.role && $0.id.hasSameBytes(as: answer.id) }
    guard let index else { return add(answer) }
    transcriptBytes += answer.text.utf8.count - transcript[index].text.utf8.count
    transcript[index] = answer
  }

  private mutating func add(_ message: ResolveKitChatMessage) {
    transcript.append(message)
    transcriptBytes += message.text.utf8.count
    guard transcript.count > Self.maximumMessages || transcriptBytes > Self.maximumTranscriptBytes else { return }
    // A tenth at once: dropping one at a time would move all others each time.
    var count = 0
    while transcript.count - count > Self.maximumMessages * 9 / 10
      || (transcriptBytes > Self.maximumTranscriptBytes && transcript.count - count > 1)
    {
      transcriptBytes -= transcript[count].text.utf8.count
      count += 1
    }
    transcript.removeFirst(count)
    droppedMessages += count
  }
}

extension HistoryMessage {
  /// The message as a transcript shows it.
  package var chatMessage: ResolveKitChatMessage {
    let shown: ResolveKitChatMessage.Role =
      switch role {
      case "user": .user
      case "assistant": .assistant
      case "human_agent": .humanAgent
      default: .system
      }
    return ResolveKitChatMessage(id: id, role: shown, text: content)
  }
}
