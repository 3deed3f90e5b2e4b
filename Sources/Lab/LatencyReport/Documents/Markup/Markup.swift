/// Well-formed markup in the making: text that goes in comes out escaped, and every element is closed.
///
/// The result reads the same as HTML and as XML, so that a test can parse a whole document.
package struct Markup: Hashable, Sendable {
  package private(set) var source: String

  package init() {
    source = ""
  }

  package init(text: String) {
    source = XMLText.escaped(text)
  }

  private init(source: String) {
    self.source = source
  }

  /// Text that is markup already; for the style sheet and the script, which are constants of this package.
  static func verbatim(_ source: String) -> Markup {
    Markup(source: source)
  }

  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [Markup] = []
  ) -> Markup {
    var source = "<" + name
    for (key, value) in attributes {
      source += " " + key + "=\"" + XMLText.escaped(value) + "\""
    }
    if children.isEmpty, Self.closesItself.contains(name) {
      return Markup(source: source + "/>")
    }
    source += ">"
    for child in children { source += child.source }
    return Markup(source: source + "</" + name + ">")
  }

  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: Markup...
  ) -> Markup {
    element(name, attributes, children)
  }

  mutating func append(_ other: Markup) {
    source += other.source
  }

  static func joined(_ parts: [Markup]) -> Markup {
    Markup(source: parts.map(\.source).joined())
  }

  /// HTML's void elements, and the leaves of SVG.
  private static let closesItself: Set<String> = ["meta", "br", "hr", "path", "line", "rect", "circle"]
}

extension Markup: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) {
    self.init(text: value)
  }
}
