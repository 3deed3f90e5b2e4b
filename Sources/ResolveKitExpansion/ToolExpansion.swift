import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that make a struct a tool.
///
/// They are `nonisolated`, so that a tool may be declared on an actor, or in a module that is isolated by default.
struct ToolExpansion {
  let tool: ToolDeclaration

  var members: [DeclSyntax] {
    let attribute = tool.attribute
    let start = "\(tool.access) nonisolated static"
    return [
      "\(raw: start) let resolveKitName = \(raw: attribute.name.swiftLiteral)",
      "\(raw: start) let resolveKitDescription = \(raw: attribute.description.swiftLiteral)",
      "\(raw: start) let resolveKitTimeoutSeconds: Int? = \(raw: attribute.timeout)",
      "\(raw: start) let resolveKitRequiresApproval: Bool = \(raw: attribute.requiresApproval)",
      DeclSyntax(stringLiteral: input),
      DeclSyntax(stringLiteral: schema),
      DeclSyntax(stringLiteral: lossyInvoke),
      DeclSyntax(stringLiteral: invoke),
    ]
  }

  private var parameters: [ToolParameter] { tool.perform.parameters }

  private var input: String {
    let head = "\(tool.inputAccess) nonisolated struct Input: Codable, Sendable"
    guard !parameters.isEmpty else { return "\(head) {}" }
    let lines = parameters.map { "  \(tool.inputAccess) let \(Self.identifier($0.key)): \($0.type.text)" }
    return "\(head) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private var schema: String {
    let required = parameters.filter(\.isRequired).map { ".string(\($0.key.swiftLiteral))" }
    var properties = ".object([:])"
    if !parameters.isEmpty {
      let lines = parameters.map { "    \($0.key.swiftLiteral): \(Self.schema(of: $0))" }
      properties = ".object([\n\(lines.joined(separator: ",\n"))\n  ])"
    }
    return """
      \(tool.access) nonisolated static let resolveKitParametersSchema: ResolveKitCore.JSONObject = [
        "type": .string("object"),
        "properties": \(properties),
        "required": .array([\(required.joined(separator: ", "))])
      ]
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

  private var lossyInvoke: String {
    """
    \(tool.access) nonisolated static func invoke(arguments: ResolveKitCore.JSONObject, context: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
      try await invoke(exactly: ResolveKitCore.ResolveKitArguments(arguments), context: context)
    }
    """
  }

  private var invoke: String {
    var lines: [String] = []
    if !parameters.isEmpty {
      let values = parameters.map { parameter in
        let label = Self.label(parameter.key)
        let type = parameter.type.text
        var text = "\(label): arguments.value(\(parameter.key.swiftLiteral), as: \(type).self"
        if let value = parameter.defaultValue ?? (parameter.type.isOptional ? "nil" : nil) {
          text += ", default: \(value)"
        }
        return "    \(text))"
      }
      lines.append("let input = try Input(\n\(values.joined(separator: ",\n"))\n  )")
    }
    let call = "try await Self().perform(\(tool.perform.arguments.map(Self.argument).joined(separator: ", ")))"
    if tool.perform.returnsValue {
      lines += ["let output = \(call)", "return try ResolveKitCore.JSONValue(encoding: output)"]
    } else {
      lines += [call, "return .null"]
    }
    return """
      \(tool.access) nonisolated static func invoke(exactly arguments: ResolveKitCore.ResolveKitArguments, context: ResolveKitCore.ResolveKitFunctionContext) async throws -> ResolveKitCore.JSONValue {
        \(lines.joined(separator: "\n  "))
      }
      """
  }

  private static func argument(_ argument: PerformMethod.Argument) -> String {
    switch argument {
    case .context(let label): return (label.map { "\(Self.label($0)): " } ?? "") + "context"
    case .input(let parameter):
      return (parameter.label.map { "\(Self.label($0)): " } ?? "") + "input.\(identifier(parameter.key))"
    }
  }

  /// Every keyword but these may be a label as it is.
  private static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }

  private static func identifier(_ name: String) -> String {
    name.isValidSwiftIdentifier(for: .variableName) ? name : "`\(name)`"
  }
}
