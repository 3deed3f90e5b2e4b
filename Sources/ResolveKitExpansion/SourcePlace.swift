import SwiftSyntax
import SwiftSyntaxMacros

/// A line of the user's source.
struct SourcePlace {
  /// The literal of its path.
  let file: String
  let line: Int

  /// What makes the compiler take the next line for that one.
  var directive: String { "#sourceLocation(file: \(file), line: \(line))" }

  /// What ends that.
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
