/// One character and how it looks.
struct StyledCharacter: Equatable {
  var character: Character
  var style: TextStyle
  /// Whether it came from text whose meaning more text may change, such as a `*` that is not closed yet.
  var isTentative: Bool

  init(_ character: Character, _ style: TextStyle = [], isTentative: Bool = false) {
    self.character = character
    self.style = style
    self.isTentative = isTentative
  }
}

extension Sequence<StyledCharacter> {
  /// The characters with SGR around them; each line stands for itself, so that a pager or a log may cut between lines.
  var escaped: String {
    var text = ""
    var open: TextStyle = []
    for next in self {
      let style = next.character == "\n" ? [] : next.style
      if style != open {
        if !open.isEmpty { text += TextStyle.reset }
        text += style.sequence
        open = style
      }
      text.append(next.character)
    }
    return open.isEmpty ? text : text + TextStyle.reset
  }
}
