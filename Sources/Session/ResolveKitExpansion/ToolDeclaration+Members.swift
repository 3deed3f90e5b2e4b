import SwiftSyntax

extension ToolDeclaration {
  static func checkMembers(_ members: [DeclSyntax], of structure: StructDeclSyntax, _ findings: inout ToolFindings) {
    checkInput(members, &findings)
    checkInitialization(members, of: structure, &findings)
  }

  /// The macro declares a type of that name.
  private static func checkInput(_ members: [DeclSyntax], _ findings: inout ToolFindings) {
    for member in members {
      guard let name = member.asProtocol((any NamedDeclSyntax).self)?.name, name.text.withoutBackticks == "Input",
        !member.is(FunctionDeclSyntax.self)
      else { continue }
      findings.error(
        "own-input", at: name,
        "@ResolveKit makes a type 'Input' of the method's parameters, so this needs another name",
        .replace(name, with: "ToolInput", "rename it to 'ToolInput'"))
    }
  }

  /// The tool is made by `Self()` for each call, which needs a value for every stored property. An extension may declare
  /// that initializer, and no macro sees one: hence a warning.
  private static func checkInitialization(
    _ members: [DeclSyntax], of structure: StructDeclSyntax, _ findings: inout ToolFindings
  ) {
    let initializers = members.compactMap { $0.as(InitializerDeclSyntax.self) }
    if let first = initializers.first {
      guard !initializers.contains(where: \.takesNothing) else { return }
      findings.warning(
        "no-empty-initializer", at: first.initKeyword,
        "a tool is made anew for each call by 'init()', which '\(structure.name.text)' does not declare",
        .insert(
          "\n  init() {\n    <#set the properties#>\n  }\n", after: structure.memberBlock.leftBrace, "add 'init()'"))
      return
    }
    for property in members.compactMap({ $0.as(VariableDeclSyntax.self) }) {
      let isTypeProperty = property.modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
      // A property wrapper may bring the value.
      guard !isTypeProperty, property.attributes.isEmpty else { continue }
      for binding in property.bindings where binding.initializer == nil && binding.isStored {
        let isVariable = property.bindingSpecifier.tokenKind == .keyword(.var)
        if isVariable, let type = binding.typeAnnotation?.type, ParameterType(type).isOptional { continue }
        guard let type = binding.typeAnnotation else { continue }
        findings.warning(
          "stored-property-without-value", at: binding.pattern,
          "a tool is made anew for each call by 'init()', so '\(binding.pattern.trimmedDescription)' needs a value",
          .insert(" = <#value#>", after: type, "give it a value"))
      }
    }
  }
}

extension InitializerDeclSyntax {
  /// Whether it can be called as `init()`, and makes a value for sure.
  fileprivate var takesNothing: Bool {
    optionalMark == nil && signature.parameterClause.parameters.allSatisfy { $0.defaultValue != nil }
  }
}

extension PatternBindingSyntax {
  fileprivate var isStored: Bool {
    guard let block = accessorBlock else { return true }
    guard case .accessors(let accessors) = block.accessors else { return false }
    return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}
