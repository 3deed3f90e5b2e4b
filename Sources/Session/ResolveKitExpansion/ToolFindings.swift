import SwiftDiagnostics
import SwiftSyntax

/// The errors in a declaration, with their fix-its.
struct ToolFindings {
  private struct Message: DiagnosticMessage, FixItMessage {
    let message: String
    let severity: DiagnosticSeverity
    let code: String

    var diagnosticID: MessageID { MessageID(domain: "ResolveKit", id: code) }
    var fixItID: MessageID { diagnosticID }
  }

  /// A change of the source: the text that takes the place of a node, or of an empty range beside one.
  struct Remedy {
    let title: String
    let range: Range<AbsolutePosition>
    let text: String
    let node: Syntax

    static func replace(_ node: some SyntaxProtocol, with text: String, _ title: String) -> Remedy {
      Remedy(
        title: title, range: node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia, text: text,
        node: Syntax(node))
    }

    static func insert(_ text: String, after node: some SyntaxProtocol, _ title: String) -> Remedy {
      let end = node.endPositionBeforeTrailingTrivia
      return Remedy(title: title, range: end..<end, text: text, node: Syntax(node))
    }

    /// Takes the node and the space behind it away.
    static func remove(_ node: some SyntaxProtocol, _ title: String) -> Remedy {
      Remedy(
        title: title, range: node.positionAfterSkippingLeadingTrivia..<node.endPosition, text: "", node: Syntax(node))
    }
  }

  private(set) var diagnostics: [Diagnostic] = []

  var hasErrors: Bool { diagnostics.contains { $0.diagMessage.severity == .error } }

  mutating func error(_ code: String, at node: some SyntaxProtocol, _ message: String, _ remedy: Remedy? = nil) {
    add(code, at: node, message, remedy, severity: .error)
  }

  mutating func warning(_ code: String, at node: some SyntaxProtocol, _ message: String, _ remedy: Remedy) {
    add(code, at: node, message, remedy, severity: .warning)
  }

  private mutating func add(
    _ code: String, at node: some SyntaxProtocol, _ message: String, _ remedy: Remedy?, severity: DiagnosticSeverity
  ) {
    let fixes = remedy.map { remedy in
      FixIt(
        message: Message(message: remedy.title, severity: severity, code: code),
        changes: [.replaceText(range: remedy.range, with: remedy.text, in: remedy.node)])
    }
    diagnostics.append(
      Diagnostic(
        node: node, message: Message(message: message, severity: severity, code: code),
        fixIts: fixes.map { [$0] } ?? []))
  }
}
