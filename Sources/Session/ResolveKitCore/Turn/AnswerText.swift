/// The shown text of a turn: it converges to what the backend says, byte for byte.
struct AnswerText: Equatable, Sendable {
  private let limit: Int
  private(set) var text = ""
  /// A part of the answer may be shown from before, whose place the first text takes.
  private var replacesShown: Bool

  /// - Parameters:
  ///   - limit: most bytes of UTF-8.
  ///   - replacesShown: whether a part of the answer, which is not known here, may be shown already.
  init(limit: Int, text: String = "", replacesShown: Bool = false) {
    self.limit = limit
    self.text = text
    self.replacesShown = replacesShown
  }

  /// Takes the next piece. Where the whole so far comes along, that is what counts: a piece that does not lead to it is
  /// healed. Returns false for a text beyond the limit.
  ///
  /// - Parameter turnID: names the turn in what is shown.
  mutating func extend(by delta: ResolveKitTextDelta, of turnID: String, _ effects: inout TurnEffects) -> Bool {
    guard let accumulated = delta.accumulated else { return append(delta.delta, of: turnID, &effects) }
    if text.utf8.count + delta.delta.utf8.count == accumulated.utf8.count,
      accumulated.bytes(after: text).map({ $0.hasSameBytes(as: delta.delta) }) == true
    {
      return append(delta.delta, of: turnID, &effects)
    }
    effects.note(.textHealed(turnID: turnID))
    return set(accumulated, isFinal: false, of: turnID, &effects)
  }

  /// Makes the given text the shown one: by appending where it continues it, else by replacing. Returns false for a text
  /// beyond the limit.
  mutating func set(_ whole: String, isFinal: Bool, of turnID: String, _ effects: inout TurnEffects) -> Bool {
    guard !text.hasSameBytes(as: whole) else { return true }
    guard whole.utf8.count <= limit else { return false }
    // A backend that streams nothing sends the whole answer at the end: nothing was wrong before.
    if isFinal, !text.isEmpty { effects.note(.textHealed(turnID: turnID)) }
    if !replacesShown, let rest = whole.bytes(after: text) {
      effects.remember(.text(rest))
      effects.emit(.appendText(turnID: turnID, rest))
    } else {
      effects.remember(.correctedText(whole))
      effects.emit(.replaceText(turnID: turnID, whole))
    }
    replacesShown = false
    text = whole
    return true
  }

  private mutating func append(_ piece: String, of turnID: String, _ effects: inout TurnEffects) -> Bool {
    guard !piece.isEmpty else { return true }
    guard !replacesShown else { return set(text + piece, isFinal: false, of: turnID, &effects) }
    guard text.utf8.count + piece.utf8.count <= limit else { return false }
    text += piece
    effects.remember(.text(piece))
    effects.emit(.appendText(turnID: turnID, piece))
    return true
  }
}
