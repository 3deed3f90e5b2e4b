import SwiftParser
import SwiftSyntax

/// The attributes of a declaration that decide about its registration.
struct AttributeReader {
  /// The mark itself, with the conditions that stand around it alone.
  struct Mark {
    let functionName: String?
    let conditions: [Condition]
  }

  private(set) var mark: Mark?
  private(set) var availability: [Condition] = []
  /// Whether the type may never be used.
  private(set) var isUnavailable = false

  init(_ attributes: AttributeListSyntax) {
    read(attributes, within: [])
  }

  private mutating func read(_ attributes: AttributeListSyntax, within conditions: [Condition]) {
    for element in attributes {
      switch element {
      case .attribute(let attribute): read(attribute, within: conditions)
      case .ifConfigDecl(let config):
        for (condition, clause) in Condition.clauses(of: config) {
          if case .attributes(let inner)? = clause.elements { read(inner, within: conditions + [condition]) }
        }
      }
    }
  }

  private mutating func read(_ attribute: AttributeSyntax, within conditions: [Condition]) {
    // A name may stand in backticks, and space around its dot.
    switch attribute.attributeName.trimmedDescription.filter({ !$0.isWhitespace && $0 != "`" }) {
    case "ResolveKit", "ResolveKitAuthoring.ResolveKit":
      mark = mark ?? Mark(functionName: Self.functionName(in: attribute), conditions: conditions)
    case "available":
      guard case .availability(let arguments)? = attribute.arguments else { return }
      read(arguments)
    default: return
    }
  }

  /// Both spellings: `iOS 17, macOS 14, *` and `iOS, introduced: 17, unavailable`.
  private mutating func read(_ arguments: AvailabilityArgumentListSyntax) {
    var versions: [String] = []
    var platform: String?
    var isWithdrawn = false
    for argument in arguments {
      switch argument.argument {
      case .availabilityVersionRestriction(let restriction):
        guard let version = restriction.version, !restriction.hasError, restriction.platform.text != "swift" else {
          continue
        }
        versions.append("\(restriction.platform.text) \(version.trimmedDescription)")
      case .token(let token):
        if token.text == "unavailable" { isWithdrawn = true } else { platform = platform ?? token.text }
      case .availabilityLabeledArgument(let labelled):
        guard labelled.label.text == "introduced", let platform, platform != "*", platform != "swift",
          case .version(let version) = labelled.value, !labelled.hasError
        else { continue }
        versions.append("\(platform) \(version.trimmedDescription)")
      }
    }
    if !versions.isEmpty { availability.append(.available(versions)) }
    guard isWithdrawn, let platform else { return }
    switch platform {
    case "*": isUnavailable = true
    case "macCatalyst": availability.append(.clause(after: [], "!targetEnvironment(macCatalyst)"))
    // No `#if` knows an extension of an app.
    case _ where platform.hasSuffix("ApplicationExtension"): break
    default: availability.append(.clause(after: [], "!os(\(platform))"))
    }
  }

  private static func functionName(in attribute: AttributeSyntax) -> String? {
    guard case .argumentList(let arguments)? = attribute.arguments else { return nil }
    return arguments.first { $0.label?.text == "name" }?.expression.as(StringLiteralExprSyntax.self)?
      .representedLiteralValue
  }
}
