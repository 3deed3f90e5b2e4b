import SwiftSyntax
import SwiftSyntaxMacros

/// A line of the user's source.
struct SourcePlace {
  /// The literal of its path.
  let file: String
  let line: Int

  /// The directive that makes the compiler report the next line as that place.
  var directive: String { "#sourceLocation(file: \(file), line: \(line))" }

  /// The directive that ends it.
  static let end = "#sourceLocation()"
}

extension SourcePlace {
  init?(of node: Syntax, in context: some MacroExpansionContext) {
    guard let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath),
      let line = Int(location.line.trimmedDescription)
    else { return nil }
    self.init(file: location.file.trimmedDescription, line: line)
  }
}
