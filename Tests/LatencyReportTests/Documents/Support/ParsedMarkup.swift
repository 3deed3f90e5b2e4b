import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A document as a strict XML parser reads it: every element with its attributes, and all text in it.
struct ParsedMarkup: Sendable {
  struct Element: Sendable {
    var name: String
    var attributes: [String: String]
    var text: String
    /// The name of the SVG picture in which it stands.
    var picture: String?
  }

  let elements: [Element]
  /// Nil where the document is well-formed.
  let problem: String?

  init(_ source: String) {
    let collector = MarkupCollector()
    let parser = XMLParser(data: Data(source.utf8))
    parser.delegate = collector
    let isWellFormed = parser.parse()
    elements = collector.elements
    problem =
      isWellFormed ? nil : "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "not well-formed")"
  }

  func named(_ name: String) -> [Element] { elements.filter { $0.name == name } }
}

private final class MarkupCollector: NSObject, XMLParserDelegate {
  var elements: [ParsedMarkup.Element] = []
  private var open: [Int] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let above = open.last.map { elements[$0].picture } ?? nil
    open.append(elements.count)
    elements.append(
      ParsedMarkup.Element(
        name: name, attributes: attributes, text: "", picture: name == "svg" ? attributes["aria-labelledby"] : above))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    for index in open { elements[index].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }
}
