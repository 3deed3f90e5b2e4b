import ResolveKitExpansion
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Source in, source out.
func expectExpansion(
  of source: String, is expanded: String, diagnostics: [DiagnosticSpec] = [], fixed: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let specification = MacroSpec(
    type: ToolMacro.self, conformances: ["AnyResolveKitFunction"])
  assertMacroExpansion(
    source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: ["ResolveKit": specification],
    fixedSource: fixed, indentationWidth: .spaces(2),
    failureHandler: { failure in
      let location = failure.location
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
          fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column))
    }, fileID: fileID, filePath: filePath, line: line, column: column)
}
