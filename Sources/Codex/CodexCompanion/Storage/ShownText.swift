import ResolveKitCore

/// A foreign text, made fit to be shown on one line: what a person could not see, or would take for something
/// else, is an escape, and what is too long ends in an ellipsis.
enum ShownText {
  static func line(_ text: String, limit: Int) -> String {
    // No scalar becomes shorter, so what is behind is not needed; its absence is.
    let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit + 1)))
    let shown = head.visible
    guard shown.count > limit else { return shown }
    return shown.prefix(limit - 1) + "…"
  }
}
