package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The implementation of `@ResolveKit`.
package enum ToolMacro: MemberMacro, ExtensionMacro {
  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var findings = ToolFindings()
    let tool = ToolDeclaration(attribute: node, declaration: declaration, in: context, findings: &findings)
    for finding in findings.diagnostics { context.diagnose(finding) }
    guard let tool, !findings.hasErrors else { return [] }
    return ToolExpansion(tool: tool) { SourcePlace(of: $0, in: context) }.members
  }

  /// Silent where the members were not generated: an error is reported once.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var findings = ToolFindings()
    let tool = ToolDeclaration(attribute: node, declaration: declaration, in: context, findings: &findings)
    guard tool != nil, !findings.hasErrors, !protocols.isEmpty else { return [] }
    let names = protocols.map(\.trimmedDescription).joined(separator: ", ")
    return [try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: names) {}")]
  }
}
