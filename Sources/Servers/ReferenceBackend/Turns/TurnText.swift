import Synchronization

/// The assistant's text in a turn so far.
final class TurnText: Sendable {
  private let text: Mutex<String>

  init(_ text: String = "") {
    self.text = Mutex(text)
  }

  var current: String { text.withLock { $0 } }

  /// It is in the history now.
  func clear() {
    text.withLock { $0 = "" }
  }

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

extension String {
  /// The same with U+FFFD for each NUL, at which SQLite's strings end.
  var withoutNUL: String {
    guard utf8.contains(0) else { return self }
    var text = UnicodeScalarView()
    text.append(contentsOf: unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })
    return String(text)
  }
}
