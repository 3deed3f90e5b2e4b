import SwiftSyntax

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
  init?(attribute node: AttributeSyntax, declaration: some DeclGroupSyntax, findings: inout ToolFindings) {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      Self.refuse(declaration, &findings)
      return nil
    }
    if let generics = structure.genericParameterClause {
      findings.error(
        "generic-tool", at: generics, "a tool is registered by its type alone, so the struct cannot be generic",
        .replace(generics, with: "", "remove '\(generics.trimmedDescription)'"))
    }
    Self.checkStoredProperties(of: structure, &findings)
    let attribute = ToolAttribute(node, of: structure, findings: &findings)
    let perform = Self.performMethod(of: structure, &findings)
    guard let attribute, let perform else { return nil }
    self.attribute = attribute
    self.perform = perform
    let structAccess = Self.access(of: structure.modifiers)
    access = structAccess ?? "public"
    let performAccess = Self.access(of: perform.modifiers)
    switch (structAccess, performAccess) {
    case (nil, _), ("public", "public"): inputAccess = "public"
    case ("package", .some), ("public", "package"): inputAccess = "package"
    case (.some, _): inputAccess = "internal"
    }
  }

  private static func access(of modifiers: DeclModifierListSyntax) -> String? {
    modifiers.lazy.map(\.name.text).first { $0 == "public" || $0 == "package" }
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

  private static func performMethod(of structure: StructDeclSyntax, _ findings: inout ToolFindings) -> PerformMethod? {
    let methods = structure.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
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

  /// The tool is made by `Self()` for each call, which needs a value for every stored property.
  private static func checkStoredProperties(of structure: StructDeclSyntax, _ findings: inout ToolFindings) {
    let members = structure.memberBlock.members.map(\.decl)
    let hasOwnInitializer = members.contains { $0.is(InitializerDeclSyntax.self) }
    guard !hasOwnInitializer else { return }
    for property in members.compactMap({ $0.as(VariableDeclSyntax.self) }) {
      let isTypeProperty = property.modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
      // A property wrapper may bring the value.
      guard !isTypeProperty, property.attributes.isEmpty else { continue }
      for binding in property.bindings where binding.initializer == nil && binding.isStored {
        let isVariable = property.bindingSpecifier.tokenKind == .keyword(.var)
        if isVariable, let type = binding.typeAnnotation?.type, ParameterType(type).isOptional { continue }
        guard let type = binding.typeAnnotation else { continue }
        findings.error(
          "stored-property-without-value", at: binding.pattern,
          "a tool is made anew for each call, without arguments, so '\(binding.pattern.trimmedDescription)' needs a value",
          .insert(" = <#value#>", after: type, "give it a value"))
      }
    }
  }
}

extension PatternBindingSyntax {
  fileprivate var isStored: Bool {
    guard let block = accessorBlock else { return true }
    guard case .accessors(let accessors) = block.accessors else { return false }
    return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}
