import SwiftParser
import SwiftSyntax

/// One value that the model passes.
struct ToolParameter {
  /// The member's name in the arguments object.
  let key: String
  /// nil for `_`.
  let label: String?
  let type: ParameterType
  /// Source text of the default value.
  let defaultValue: String?
  /// The default as a `JSONValue` expression, where it is a literal.
  let defaultJSON: String?
  let description: String?

  var isRequired: Bool { !type.isOptional && defaultValue == nil }

  /// nil, with findings, where the parameter cannot be passed by a model.
  init?(_ parameter: FunctionParameterSyntax, documentation: DocumentationComment, findings: inout ToolFindings) {
    let first = parameter.firstName.text.withoutBackticks
    let second = parameter.secondName?.text.withoutBackticks
    guard first != "_" || second != nil && second != "_" else {
      findings.error(
        "parameter-without-name", at: parameter.firstName, "the model passes values by name, and this one has none",
        .replace(
          parameter.secondName ?? parameter.firstName, with: parameter.secondName == nil ? "_ value" : "value",
          "name it"))
      return nil
    }
    label = first == "_" ? nil : first
    key = label ?? second ?? first
    description = documentation.parameters[second ?? first] ?? documentation.parameters[key]
    type = ParameterType(parameter.type)
    defaultValue = parameter.defaultValue?.value.trimmedDescription
    defaultJSON = parameter.defaultValue.flatMap { Self.json($0.value) }
    guard Self.check(parameter, type, key: key, &findings) else { return nil }
  }

  private static func check(
    _ parameter: FunctionParameterSyntax, _ type: ParameterType, key: String, _ findings: inout ToolFindings
  ) -> Bool {
    let code = "unsupported-parameter"
    if let ellipsis = parameter.ellipsis {
      findings.error(
        code, at: ellipsis, "'\(key)' cannot be variadic: the model passes a list as an array",
        ToolFindings.Remedy(
          title: "use '[\(type.text)]'",
          range: parameter.type.positionAfterSkippingLeadingTrivia..<ellipsis.endPositionBeforeTrailingTrivia,
          text: "[\(type.text)]", node: Syntax(parameter)))
      return false
    }
    if let attributed = parameter.type.as(AttributedTypeSyntax.self),
      let specifier = attributed.specifiers.first(where: { $0.trimmedDescription == "inout" })
    {
      findings.error(
        code, at: specifier, "'\(key)' cannot be 'inout': the model passes values",
        .remove(specifier, "remove 'inout'"))
      return false
    }
    guard let fault = type.fault else { return true }
    findings.error(
      code, at: parameter.type, "'\(key)' cannot be \(fault.what): the model passes JSON, read by Decodable",
      .replace(parameter.type, with: fault.replacement, "use '\(fault.replacement)'"))
    return false
  }

  private static func json(_ value: ExprSyntax) -> String? {
    if let string = value.as(StringLiteralExprSyntax.self) {
      return string.representedLiteralValue.map { ".string(\($0.swiftLiteral))" }
    }
    if value.is(BooleanLiteralExprSyntax.self) { return ".bool(\(value.trimmedDescription))" }
    var number = value
    if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" { number = prefix.expression }
    guard number.is(IntegerLiteralExprSyntax.self) || number.is(FloatLiteralExprSyntax.self) else { return nil }
    return ".number(\(value.trimmedDescription))"
  }
}
