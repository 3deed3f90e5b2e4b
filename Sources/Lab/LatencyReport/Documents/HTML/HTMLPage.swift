/// A whole document in one file: nothing is fetched, and nothing needs the script.
struct HTMLPage {
  var title: String
  var content: [Markup]

  /// Adds a button that copies the command.
  private static let script = """
    document.querySelectorAll('.rerun').forEach(function(block){if(!navigator.clipboard)return;
    var button=document.createElement('button');button.type='button';button.textContent='Copy';
    button.onclick=function(){navigator.clipboard.writeText(block.querySelector('pre').textContent).then(function(){
    button.textContent='Copied'})};block.classList.add('has');block.appendChild(button)});
    """

  var source: String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    let head = Markup.element(
      "head", [:],
      .element("meta", ["charset": "utf-8"]),
      .element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .element("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
      .element("meta", ["name": "color-scheme", "content": "light dark"]),
      .element("title", [:], Markup(text: title)), .element("style", [:], .verbatim(StyleSheet.text)))
    let body = Markup.element(
      "body", [:], .element("main", [:], content), .element("script", [:], .verbatim(Self.script)))
    return "<!DOCTYPE html>\n" + Markup.element("html", ["lang": "en"], head, body).source + "\n"
  }

  /// A heading that the contents can point at.
  static func section(_ title: String, identifier: String, _ content: [Markup?]) -> Markup? {
    let content = content.compactMap { $0 }
    guard !content.isEmpty else { return nil }
    return .element("section", [:], [.element("h2", ["id": identifier], Markup(text: title))] + content)
  }

  static func list(_ sentences: [String]) -> Markup {
    .element("ul", [:], sentences.map { .element("li", [:], Markup(text: ProseText.bound($0))) })
  }

  /// Names and values in as many columns as there is room for.
  static func values(_ values: [NamedValue], style: String = "values") -> Markup {
    .element(
      "dl", ["class": style],
      values.map {
        .element(
          "div", [:], .element("dt", [:], Markup(text: $0.name)),
          .element("dd", [:], Markup(text: ProseText.bound($0.value))))
      })
  }

  static func command(_ text: String) -> Markup {
    .element("div", ["class": "rerun"], .element("pre", [:], .element("code", [:], Markup(text: text))))
  }
}
