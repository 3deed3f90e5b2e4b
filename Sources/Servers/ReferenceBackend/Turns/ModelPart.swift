/// A part of an answer while the model gives it: up to its calls, or its end.
struct ModelPart: Equatable, Sendable {
  /// Counts from 0 in each process's run of a turn.
  let number: Int
  /// Unicode scalars of the turn's text before it.
  let start: Int
  var calls: [ModelToolCall] = []
  var usage: ModelUsage?
  private var hasBegun = false

  init(number: Int, start: Int) {
    self.number = number
    self.start = start
  }

  /// The text that a piece adds to the turn's; nil for none.
  mutating func delta(_ piece: String, after text: String) -> String? {
    let piece = piece.withoutNUL
    guard !piece.isEmpty else { return nil }
    defer { hasBegun = true }
    // A model begins each part again: without a break its sentences would run into those before the tool call.
    let needsBreak = !hasBegun && !text.isEmpty && !(text.last?.isWhitespace ?? true)
    return needsBreak ? "\n\n" + piece : piece
  }
}

extension String {
  /// The same with U+FFFD for each NUL, at which a database's strings end.
  fileprivate var withoutNUL: String {
    guard utf8.contains(0) else { return self }
    var text = UnicodeScalarView()
    text.append(contentsOf: unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })
    return String(text)
  }
}
