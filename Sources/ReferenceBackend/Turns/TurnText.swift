import Synchronization

/// What the assistant has said in a turn so far.
final class TurnText: Sendable {
  private let text = Mutex("")

  var current: String { text.withLock { $0 } }

  /// Adds `delta`; returns the whole.
  func append(_ delta: String, limit: Int) throws(TurnError) -> String {
    let whole = text.withLock { text -> String? in
      guard text.utf8.count + delta.utf8.count <= limit else { return nil }
      text += delta
      return text
    }
    guard let whole else { throw .answerTooLong(limit: limit) }
    return whole
  }
}
