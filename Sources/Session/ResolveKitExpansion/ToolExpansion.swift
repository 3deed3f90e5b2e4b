import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that make a struct a tool.
///
/// The protocol's requirements are `nonisolated`, so that a tool may be declared on an actor, or in a module that is isolated
/// by default. The arguments are read beside `perform`, on its actor: default values may need it, and what is returned may
/// not be able to leave it before it is JSON.
struct ToolExpansion {
  let tool: ToolDeclaration
  /// The place where the user wrote a node. The compiler's diagnostics about a type that no macro can know appear
  /// there.
  let place: (Syntax) -> SourcePlace?

  var members: [DeclSyntax] {
    let attribute = tool.attribute
    let start = "\(tool.access) nonisolated static"
    return [
      "\(raw: start) let resolveKitName = \(raw: attribute.name.swiftLiteral)",
      "\(raw: start) let resolveKitDescription = \(raw: attribute.description.swiftLiteral)",
      "\(raw: start) let resolveKitTimeoutSeconds: Int? = \(raw: attribute.timeout)",
      "\(raw: start) let resolveKitRequiresApproval: Bool = \(raw: attribute.requiresApproval)",
    ]
      + located(input) + located(schema) + [
        DeclSyntax(stringLiteral: lossyInvoke), DeclSyntax(stringLiteral: invoke), DeclSyntax(stringLiteral: perform),
      ]
  }

  private var parameters: [ToolParameter] { tool.perform.parameters }

  private func located(_ text: String) -> [DeclSyntax] {
    guard let place = place(tool.perform.node), !parameters.isEmpty else { return [DeclSyntax(stringLiteral: text)] }
    // Members are put apart by an empty line.
    let directive = SourcePlace(file: place.file, line: max(place.line - 1, 1)).directive
    return [directive, text, SourcePlace.end].map { DeclSyntax(stringLiteral: $0) }
  }

  private var input: String {
    let head = "\(tool.inputAccess) nonisolated struct Input: Codable, Sendable"
    guard !parameters.isEmpty else { return "\(head) {}" }
    let access = ["public", "package"].contains(tool.inputAccess) ? "\(tool.inputAccess) " : ""
    let lines = parameters.flatMap { parameter in
      [place(parameter.node)?.directive, "\(access)let \(Self.identifier(parameter.key)): \(parameter.type.text)"]
    }
    return "\(head) {\n\(lines.compactMap(\.self).joined(separator: "\n"))\n}"
  }

  private var schema: String {
    let required = parameters.filter(\.isRequired).map { ".string(\($0.key.swiftLiteral))" }
    let properties = parameters.map { "\($0.key.swiftLiteral): \(Self.schema(of: $0))" }
    let members = [
      "\"type\": .string(\"object\")",
      "\"properties\": .object([\(properties.isEmpty ? ":" : properties.joined(separator: ", "))])",
      "\"required\": .array([\(required.joined(separator: ", "))])",
    ]
    return """
      \(tool.access) nonisolated static let resolveKitParametersSchema: ResolveKitCore.JSONObject = \
      [\(members.joined(separator: ", "))]
      """
  }

  private static func schema(of parameter: ToolParameter) -> String {
    let type = parameter.type.wrapped.map { ParameterType($0) } ?? parameter.type
    let standard = ["String": "string", "Bool": "boolean", "Double": "number"].first { type.isStandard($0.key) }
    if let standard {
      var members = ["\"type\": .string(\"\(standard.value)\")"]
      if let description = parameter.description {
        members.append("\"description\": .string(\(description.swiftLiteral))")
      }
      if let value = parameter.defaultJSON { members.append("\"default\": \(value)") }
      return ".object([\(members.joined(separator: ", "))])"
    }
    var arguments = ["\(type.text).self", "parameter: \(parameter.key.swiftLiteral)"]
    if let description = parameter.description { arguments.append("description: \(description.swiftLiteral)") }
    if let value = parameter.defaultJSON { arguments.append("default: \(value)") }
    return "ResolveKitCore.ResolveKitSchema.of(\(arguments.joined(separator: ", ")))"
  }

  private static let result = "async throws -> ResolveKitCore.JSONValue"

  private var lossyInvoke: String {
    """
    \(tool.access) nonisolated static func invoke(arguments: ResolveKitCore.JSONObject, context: ResolveKitCore.ResolveKitFunctionContext) \(Self.result) {
      try await invoke(exactly: ResolveKitCore.ResolveKitArguments(arguments), context: context)
    }
    """
  }

  private var invoke: String {
    """
    \(tool.access) nonisolated static func invoke(exactly arguments: ResolveKitCore.ResolveKitArguments, context: ResolveKitCore.ResolveKitFunctionContext) \(Self.result) {
      try await Self().resolveKitPerform(arguments, context)
    }
    """
  }

  /// The body that calls `perform`, with parameter names that no default value refers to.
  private var perform: String {
    let call = "perform(\(tool.perform.arguments.map(Self.argument).joined(separator: ", ")))"
    var lines =
      tool.perform.returnsValue
      ? ["return try await ResolveKitCore.JSONValue(encoding: \(call))"] : ["try await \(call)", "return .null"]
    if let place = place(tool.perform.node), !parameters.isEmpty || tool.perform.returnsValue {
      lines = [place.directive] + lines + [SourcePlace.end]
    }
    return """
      \(tool.perform.isolation)private func resolveKitPerform(_ resolveKitArguments: ResolveKitCore.ResolveKitArguments, _ resolveKitContext: ResolveKitCore.ResolveKitFunctionContext) \(Self.result) {
        \(lines.joined(separator: "\n  "))
      }
      """
  }

  private static func argument(_ argument: PerformMethod.Argument) -> String {
    switch argument {
    case .context(let label): return self.label(label) + "resolveKitContext"
    case .input(let parameter):
      var value = "\(parameter.key.swiftLiteral), as: \(parameter.type.text).self"
      if let fallback = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil) {
        value += ", default: \(fallback)"
      }
      return label(parameter.label) + "resolveKitArguments.value(\(value))"
    }
  }

  /// Every keyword but these may be a label as it is, and the compiler warns of backticks around one.
  private static func label(_ name: String?) -> String {
    guard let name else { return "" }
    let isWord = name.allSatisfy { $0.isASCII && $0.isLetter } && !["inout", "var", "let"].contains(name)
    return "\(isWord ? name : identifier(name)): "
  }

  private static func identifier(_ name: String) -> String {
    name.isValidSwiftIdentifier(for: .variableName) ? name : "`\(name)`"
  }
}
