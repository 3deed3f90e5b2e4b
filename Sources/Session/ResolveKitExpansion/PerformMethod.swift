import SwiftSyntax

/// The method `perform` of a tool.
struct PerformMethod {
  enum Argument {
    case input(ToolParameter)
    /// The context of the call; `label` is nil for `_`.
    case context(label: String?)
  }

  let node: Syntax
  let arguments: [Argument]
  let returnsValue: Bool
  let modifiers: DeclModifierListSyntax
  /// The method's global-actor attributes, for a method beside it; empty where only the struct has one. A macro knows a
  /// global actor by the custom of its name.
  let isolation: String

  var parameters: [ToolParameter] {
    arguments.compactMap { if case .input(let parameter) = $0 { parameter } else { nil } }
  }

  init(_ function: FunctionDeclSyntax, findings: inout ToolFindings) {
    node = Syntax(function.funcKeyword)
    modifiers = function.modifiers
    let attributes = function.attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { attribute in
      let name = attribute.attributeName.trimmedDescription
      return name.hasSuffix("Actor") || name == "concurrent"
    }
    let nonisolated = function.modifiers.filter { $0.name.tokenKind == .keyword(.nonisolated) }
    isolation = (attributes.map(\.trimmedDescription) + nonisolated.map(\.trimmedDescription)).map { "\($0) " }.joined()
    Self.checkModifiers(of: function, &findings)
    Self.checkEffects(of: function, &findings)
    if let generics = function.genericParameterClause {
      findings.error(
        "generic-perform", at: generics,
        "'perform' cannot be generic: its input is described when the program is built",
        .replace(generics, with: "", "remove '\(generics.trimmedDescription)'"))
    }
    let documentation = DocumentationComment(Self.comments(of: function))
    var arguments: [Argument] = []
    var keys: Set<String> = []
    for parameter in function.signature.parameterClause.parameters {
      if ParameterType(parameter.type).isContext {
        guard ToolParameter.isPassable(parameter, &findings) else { continue }
        let label = parameter.firstName.text.withoutBackticks
        arguments.append(.context(label: parameter.firstName.tokenKind == .wildcard ? nil : label))
        continue
      }
      guard let input = ToolParameter(parameter, documentation: documentation, findings: &findings) else { continue }
      if !keys.insert(input.key).inserted {
        findings.error(
          "repeated-parameter", at: parameter.firstName, "two parameters have the name '\(input.key)' in the schema",
          .replace(parameter.firstName, with: "\(input.key)2", "rename it to '\(input.key)2'"))
      }
      arguments.append(.input(input))
    }
    self.arguments = arguments
    returnsValue = Self.checkResult(of: function, &findings)
  }

  /// Also those between the attributes and the method.
  private static func comments(of function: FunctionDeclSyntax) -> Trivia {
    let parts = function.attributes.map(\.leadingTrivia) + function.modifiers.map(\.leadingTrivia)
    return (parts + [function.funcKeyword.leadingTrivia]).reduce(Trivia(), +)
  }

  private static func checkModifiers(of function: FunctionDeclSyntax, _ findings: inout ToolFindings) {
    for modifier in function.modifiers {
      switch modifier.name.text {
      case "static", "class":
        findings.error(
          "static-perform", at: modifier, "'perform' is called on an instance of the tool",
          .remove(modifier, "remove '\(modifier.name.text)'"))
      case "mutating", "consuming":
        findings.error(
          "mutating-perform", at: modifier,
          "'perform' is called on a tool made for this one call, so there is nothing to change",
          .remove(modifier, "remove '\(modifier.name.text)'"))
      default: continue
      }
    }
  }

  private static func checkEffects(of function: FunctionDeclSyntax, _ findings: inout ToolFindings) {
    let effects = function.signature.effectSpecifiers
    let isAsync = effects?.asyncSpecifier != nil
    let canThrow = effects?.throwsClause != nil
    guard !isAsync || !canThrow else { return }
    let message = "'perform' must be 'async throws'"
    let title = isAsync ? "add 'throws'" : canThrow ? "add 'async'" : "add 'async throws'"
    let remedy: ToolFindings.Remedy
    if let async = effects?.asyncSpecifier {
      remedy = .insert(" throws", after: async, title)
    } else if let clause = effects?.throwsClause {
      remedy = .replace(clause, with: "async \(clause.trimmedDescription)", title)
    } else {
      remedy = .insert(" async throws", after: function.signature.parameterClause, title)
    }
    findings.error("perform-effects", at: function.name, message, remedy)
  }

  /// Whether there is a result to encode.
  private static func checkResult(of function: FunctionDeclSyntax, _ findings: inout ToolFindings) -> Bool {
    guard let type = function.signature.returnClause?.type else { return false }
    let result = ParameterType(type)
    if result.isVoid { return false }
    // Nothing, or nothing: there is no JSON for the difference.
    if let wrapped = result.wrapped, ParameterType(wrapped).isVoid {
      findings.error(
        "unsupported-result", at: type, "'perform' cannot return '\(type.trimmedDescription)': a result is Encodable",
        .replace(type, with: "Void", "use 'Void'"))
      return false
    }
    if let fault = result.faultAsResult {
      findings.error(
        "unsupported-result", at: type, "'perform' cannot return \(fault.what): a result is Encodable",
        .replace(type, with: fault.replacement, "use '\(fault.replacement)'"))
    }
    return true
  }
}
