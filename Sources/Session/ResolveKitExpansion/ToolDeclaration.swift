import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

/// A struct that is to become a tool: what its attribute says and the method that does the work.
struct ToolDeclaration {
  let attribute: ToolAttribute
  let perform: PerformMethod
  /// "public" or "package" where the struct is; the members of any other are declared public and reach no farther
  /// than the struct.
  let access: String
  /// The access of `Input`, which can be no wider than that of the types in it.
  let inputAccess: String

  /// nil, with findings, where nothing can be generated.
  init?(
    attribute node: AttributeSyntax, declaration: some DeclGroupSyntax, in context: some MacroExpansionContext,
    findings: inout ToolFindings
  ) {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      Self.refuse(declaration, &findings)
      return nil
    }
    let around = Self.around(structure, context.lexicalContext)
    Self.checkGenerics(of: structure, around, &findings)
    let members = Self.members(of: structure.memberBlock.members, context.buildConfiguration)
    Self.checkMembers(members, of: structure, &findings)
    let attribute = ToolAttribute(node, of: structure, findings: &findings)
    let perform = Self.performMethod(among: members, of: structure, &findings)
    guard let attribute, let perform else { return nil }
    self.attribute = attribute
    self.perform = perform
    // The members of an extension have the extension's access level by default.
    let inherited = around.first?.as(ExtensionDeclSyntax.self).flatMap { Self.access(of: $0.modifiers) }
    let structAccess = Self.access(of: structure.modifiers) ?? inherited
    access = structAccess == "package" ? "package" : "public"
    switch (structAccess, Self.access(of: perform.modifiers)) {
    case (_, "private"?): inputAccess = "private"
    case (_, "fileprivate"?): inputAccess = "fileprivate"
    case ("package", "public"?), ("package", "package"?), ("public", "package"?): inputAccess = "package"
    case ("public", "public"?): inputAccess = "public"
    case ("public", _), ("package", _): inputAccess = "internal"
    case (_, _): inputAccess = "public"
    }
  }

  private static func access(of modifiers: DeclModifierListSyntax) -> String? {
    let levels = ["public", "package", "internal", "fileprivate", "private"]
    return modifiers.lazy.filter { $0.detail == nil }.map(\.name.text).first(where: levels.contains)
  }

  /// The enclosing declarations, the nearest first.
  private static func around(_ structure: StructDeclSyntax, _ context: [Syntax]) -> [Syntax] {
    let isItself = context.first?.as(StructDeclSyntax.self)?.name.text == structure.name.text
    return Array(isItself ? context.dropFirst() : context[...])
  }

  /// The members that the build has: those outside of `#if`, and those of its clauses that hold.
  private static func members(
    of list: MemberBlockItemListSyntax, _ configuration: (any BuildConfiguration)?
  ) -> [DeclSyntax] {
    list.flatMap { item -> [DeclSyntax] in
      guard let config = item.decl.as(IfConfigDeclSyntax.self) else { return [item.decl] }
      // Without a configuration all might hold.
      let clauses = configuration.map { [config.activeClause(in: $0).clause] } ?? config.clauses.map { $0 }
      return clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let inner)? = clause?.elements else { return [] }
        return members(of: inner, configuration)
      }
    }
  }

  private static func refuse(_ declaration: some DeclGroupSyntax, _ findings: inout ToolFindings) {
    let keyword = declaration.introducer
    let title = "make it a struct"
    var remedy = ToolFindings.Remedy.replace(keyword, with: "struct", title)
    if let type = declaration.as(ClassDeclSyntax.self),
      let final = type.modifiers.first(where: { $0.name.tokenKind == .keyword(.final) })
    {
      // "final struct" does not compile: the words between the two are kept.
      let start = final.positionAfterSkippingLeadingTrivia
      let words = type.modifiers.filter { $0.name.tokenKind != .keyword(.final) && $0.position > final.position }
      let kept = words.map { $0.trimmedDescription + " " }.joined()
      remedy = ToolFindings.Remedy(
        title: title, range: start..<keyword.endPositionBeforeTrailingTrivia, text: kept + "struct",
        node: Syntax(declaration))
    }
    findings.error(
      "not-a-struct", at: keyword, "@ResolveKit needs a struct, and this is a declaration of '\(keyword.text)'", remedy)
  }

  private static func checkGenerics(
    of structure: StructDeclSyntax, _ around: [Syntax], _ findings: inout ToolFindings
  ) {
    if let generics = structure.genericParameterClause {
      findings.error(
        "generic-tool", at: generics, "a tool is registered by its type alone, so the struct cannot be generic",
        .replace(generics, with: "", "remove '\(generics.trimmedDescription)'"))
    }
    let outer = around.first { node in
      node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        || node.as(ExtensionDeclSyntax.self)?.genericWhereClause != nil
    }
    guard let outer else { return }
    let name = outer.asProtocol((any NamedDeclSyntax).self)?.name.text
    let extended = outer.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
    findings.error(
      "generic-context", at: structure.name,
      "a tool is registered by its type alone, so move it out of '\(name ?? extended ?? "it")', which is generic")
  }

  private static func performMethod(
    among members: [DeclSyntax], of structure: StructDeclSyntax, _ findings: inout ToolFindings
  ) -> PerformMethod? {
    let methods = members.compactMap { $0.as(FunctionDeclSyntax.self) }
      .filter { $0.name.text.withoutBackticks == "perform" }
    guard let method = methods.first else {
      let stub = "\n  func perform() async throws -> String {\n    <#what the tool does#>\n  }"
      findings.error(
        "no-perform", at: structure.name,
        "'\(structure.name.text)' has no method 'perform', which does the tool's work",
        .insert(stub, after: structure.memberBlock.leftBrace, "add 'perform() async throws'"))
      return nil
    }
    for (index, extra) in methods.dropFirst().enumerated() {
      let name = index == 0 ? "performOther" : "performOther\(index + 1)"
      findings.error(
        "two-performs", at: extra.name, "a tool has exactly one method 'perform', and this is another",
        .replace(extra.name, with: name, "rename it to '\(name)'"))
    }
    return PerformMethod(method, findings: &findings)
  }
}
