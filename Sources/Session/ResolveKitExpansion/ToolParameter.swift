import SwiftParser
import SwiftSyntax

/// One value that the model passes.
struct ToolParameter {
  let node: Syntax
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
    let isNameless = parameter.firstName.tokenKind == .wildcard
    guard !isNameless || parameter.secondName.map({ $0.tokenKind != .wildcard }) ?? false else {
      findings.error(
        "parameter-without-name", at: parameter.firstName, "the model passes values by name, and this one has none",
        .replace(
          parameter.secondName ?? parameter.firstName, with: parameter.secondName == nil ? "_ value" : "value",
          "name it"))
      return nil
    }
    node = Syntax(parameter)
    label = isNameless ? nil : first
    key = label ?? second ?? first
    description = documentation.parameters[second ?? first] ?? documentation.parameters[key]
    type = ParameterType(parameter.type)
    defaultValue = parameter.defaultValue?.value.trimmedDescription
    defaultJSON = parameter.defaultValue.flatMap { Self.json($0.value) }
    guard Self.isPassable(parameter, &findings) else { return nil }
    guard let fault = type.fault else { return }
    findings.error(
      "unsupported-parameter", at: parameter.type,
      "'\(key)' cannot be \(fault.what): the model passes JSON, read by Decodable",
      .replace(parameter.type, with: fault.replacement, "use '\(fault.replacement)'"))
    return nil
  }

  /// Whether it takes one value, given by value.
  static func isPassable(_ parameter: FunctionParameterSyntax, _ findings: inout ToolFindings) -> Bool {
    let name = (parameter.secondName ?? parameter.firstName).text.withoutBackticks
    let type = ParameterType(parameter.type).text
    if let ellipsis = parameter.ellipsis {
      findings.error(
        "unsupported-parameter", at: ellipsis, "'\(name)' cannot be variadic: the model passes a list as an array",
        ToolFindings.Remedy(
          title: "use '[\(type)]'",
          range: parameter.type.positionAfterSkippingLeadingTrivia..<ellipsis.endPositionBeforeTrailingTrivia,
          text: "[\(type)]", node: Syntax(parameter)))
      return false
    }
    let specifiers = parameter.type.as(AttributedTypeSyntax.self)?.specifiers
    guard let specifier = specifiers?.first(where: { $0.trimmedDescription == "inout" }) else { return true }
    findings.error(
      "unsupported-parameter", at: specifier, "'\(name)' cannot be 'inout': the model passes values",
      .remove(specifier, "remove 'inout'"))
    return false
  }

  private static func json(_ value: ExprSyntax) -> String? {
    if let string = value.as(StringLiteralExprSyntax.self) {
      return string.representedLiteralValue.map { ".string(\($0.swiftLiteral))" }
    }
    if value.is(BooleanLiteralExprSyntax.self) { return ".bool(\(value.trimmedDescription))" }
    var number = value
    if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" { number = prefix.expression }
    if let integer = number.as(IntegerLiteralExprSyntax.self) {
      // JSONValue's numbers have no room for more.
      guard let exact = integer.representedLiteralValue, Double(exactly: exact) != nil else { return nil }
    } else if !number.is(FloatLiteralExprSyntax.self) {
      return nil
    }
    return ".number(\(value.trimmedDescription))"
  }
}
