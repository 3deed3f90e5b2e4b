// The shown text: it converges to what the backend says, byte for byte.
extension TurnMachine {
  mutating func extendText(_ delta: ResolveKitTextDelta) {
    guard let current = turn else { return }
    guard let accumulated = delta.accumulated else {
      return append(delta.delta, to: current)
    }
    if current.text.utf8.count + delta.delta.utf8.count == accumulated.utf8.count,
      accumulated.bytes(after: current.text).map({ $0.hasSameBytes(as: delta.delta) }) == true
    {
      append(delta.delta, to: current)
    } else {
      heal()
      setText(accumulated, isFinal: false)
    }
  }

  /// Makes the given text the shown one: by appending where it continues it, else by replacing.
  mutating func setText(_ text: String, isFinal: Bool) {
    guard let current = turn, !current.text.hasSameBytes(as: text) else { return }
    guard text.utf8.count <= policy.maximumTextBytes else { return refuseText() }
    // A backend that streams nothing sends the whole answer at the end: nothing was wrong before.
    if isFinal, !current.text.isEmpty { heal() }
    if let rest = text.bytes(after: current.text) {
      remember(.text(rest))
      emit(.appendText(turnID: current.knownID, rest))
    } else {
      remember(.correctedText(text))
      emit(.replaceText(turnID: current.knownID, text))
    }
    turn?.text = text
  }

  private mutating func append(_ text: String, to current: TurnState) {
    guard !text.isEmpty else { return }
    guard current.text.utf8.count + text.utf8.count <= policy.maximumTextBytes else { return refuseText() }
    turn?.text = current.text + text
    remember(.text(text))
    emit(.appendText(turnID: current.knownID, text))
  }

  private mutating func heal() {
    guard let current = turn else { return }
    note(.textHealed(turnID: current.knownID))
  }

  private mutating func refuseText() {
    finish(
      .failed,
      failure: RequestFailure(
        code: "answer_too_long", message: "The answer is longer than \(policy.maximumTextBytes) bytes."))
  }
}
