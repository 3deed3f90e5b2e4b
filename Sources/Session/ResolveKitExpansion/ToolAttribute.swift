import SwiftParser
import SwiftSyntax

/// The arguments of `@ResolveKit(…)`.
struct ToolAttribute {
  static let timeoutRange = 1...300
  static let maximumDescriptionLength = 1000

  let name: String
  let description: String
  /// Source text; "nil" where none was given.
  let timeout: String
  let requiresApproval: String

  /// nil where a name or a description is not a literal.
  init?(_ attribute: AttributeSyntax, of structure: StructDeclSyntax, findings: inout ToolFindings) {
    let typeName = structure.name.text.withoutBackticks
    let arguments = attribute.arguments?.as(LabeledExprListSyntax.self)
    func argument(_ label: String) -> ExprSyntax? { arguments?.first { $0.label?.text == label }?.expression }

    let proposedName = ToolName.snakeCase(typeName)
    let name = Self.literal(
      "name", argument("name"), attribute, proposal: proposedName.isEmpty ? "my_tool" : proposedName, &findings)
    let documented = DocumentationComment(structure.leadingTrivia).summary
    let description = Self.literal(
      "description", argument("description"), attribute,
      proposal: documented.isEmpty ? "<#what the tool does, and when to call it#>" : documented, &findings)

    timeout = argument("timeout")?.trimmedDescription ?? "nil"
    requiresApproval = argument("requiresApproval")?.trimmedDescription ?? "true"
    if let expression = argument("timeout") { Self.check(timeout: expression, &findings) }
    guard let name, let description else { return nil }
    self.name = name
    self.description = description
    if let expression = argument("name") { check(name: expression, proposal: proposedName, &findings) }
    if let expression = argument("description") { check(description: expression, documented, &findings) }
  }

  private static func literal(
    _ label: String, _ expression: ExprSyntax?, _ attribute: AttributeSyntax, proposal: String,
    _ findings: inout ToolFindings
  ) -> String? {
    guard let expression else {
      // The compiler reports the missing argument; without it there is nothing to generate.
      let text = "\(label): \(proposal.swiftLiteral)"
      let remedy: ToolFindings.Remedy
      if let arguments = attribute.arguments?.as(LabeledExprListSyntax.self), let first = arguments.first {
        if label == "name" {
          remedy = .replace(first, with: "\(text), \(first.trimmedDescription)", "add '\(text)'")
        } else {
          let anchor = arguments.first { $0.label?.text == "name" } ?? first
          let label = anchor.with(\.trailingComma, nil).trimmedDescription
          let comma = anchor.trailingComma == nil ? "" : ","
          remedy = .replace(anchor, with: "\(label), \(text)\(comma)", "add '\(text)'")
        }
      } else {
        remedy = .replace(attribute, with: "@ResolveKit(\(text))", "add '\(text)'")
      }
      findings.error(
        "missing-\(label)", at: attribute, "@ResolveKit needs the argument '\(label)': the model sees it", remedy)
      return nil
    }
    guard let literal = expression.as(StringLiteralExprSyntax.self), let value = literal.representedLiteralValue else {
      let isLiteral = expression.is(StringLiteralExprSyntax.self)
      let reason = isLiteral ? "must not interpolate" : "must be a string literal"
      findings.error(
        "\(label)-not-literal", at: expression, "'\(label)' \(reason): it is read when the program is built",
        .replace(expression, with: proposal.swiftLiteral, "use \(proposal.swiftLiteral)"))
      return nil
    }
    return value
  }

  private func check(name expression: ExprSyntax, proposal: String, _ findings: inout ToolFindings) {
    let snakeCase = ToolName.snakeCase(name)
    let better = (snakeCase.isEmpty ? proposal : snakeCase).swiftLiteral
    if !ToolName.isValid(name) {
      findings.error(
        "bad-name", at: expression,
        "a tool's name is 1 to \(ToolName.maximumLength) characters out of A-Z, a-z, 0-9, '_', '-' and '.'",
        .replace(expression, with: better, "use \(better)"))
    } else if !ToolName.isSnakeCase(name), !snakeCase.isEmpty {
      findings.warning(
        "name-not-snake-case", at: expression, "models know tools by snake_case names",
        .replace(expression, with: better, "use \(better)"))
    }
  }

  private func check(description expression: ExprSyntax, _ documented: String, _ findings: inout ToolFindings) {
    let isBlank = description.allSatisfy(\.isWhitespace)
    if isBlank {
      let better = (documented.isEmpty ? "<#what the tool does, and when to call it#>" : documented).swiftLiteral
      findings.error(
        "empty-description", at: expression, "the description is empty: by it the model decides when to call",
        .replace(expression, with: better, "write a description"))
    } else if description.unicodeScalars.count > Self.maximumDescriptionLength {
      let scalars = description.unicodeScalars.prefix(Self.maximumDescriptionLength)
      let shorter = String(String.UnicodeScalarView(scalars)).swiftLiteral
      findings.error(
        "description-too-long", at: expression,
        "the backend takes descriptions of at most \(Self.maximumDescriptionLength) characters",
        .replace(expression, with: shorter, "cut the description"))
    }
  }

  /// Only what is written as a number is judged; anything else is clamped when it is registered.
  private static func check(timeout expression: ExprSyntax, _ findings: inout ToolFindings) {
    let text = expression.trimmedDescription.filter { $0 != "_" && $0 != " " }
    let isNumber = expression.is(IntegerLiteralExprSyntax.self) || expression.is(PrefixOperatorExprSyntax.self)
    guard isNumber, let digits = text.first, digits.isNumber || digits == "-" else { return }
    let number = Int(text) ?? (text.hasPrefix("-") ? Int.min : Int.max)
    guard !timeoutRange.contains(number), !text.dropFirst().contains(where: \.isLetter) else { return }
    let clamped = min(max(number, timeoutRange.lowerBound), timeoutRange.upperBound)
    findings.error(
      "timeout-out-of-range", at: expression, "a timeout is 1 to 300 seconds",
      .replace(expression, with: "\(clamped)", "use \(clamped)"))
  }
}
