import SwiftParser
import SwiftSyntax

/// Finds the declarations of one source. Only declarations are visited, so neither strings nor comments nor the depth of
/// an expression can mislead it. The parser's recovery from syntax errors suffices, since the compiler reports those.
struct SourceScanner {
  /// A marked structure, and what its extensions have to say yet.
  struct Finding {
    var function: MarkedFunction
    var reach: DeclaredType.Reach
    var extended: String?
  }

  let path: String
  private(set) var findings: [Finding] = []
  private(set) var types: [String: [DeclaredType]] = [:]
  private let bytes: [UInt8]
  /// The place up to which lines are counted: functions come in the order of the text.
  private var counted = 0
  private var line = 1
  private var lineStart = 0

  init(_ source: SourceFile) {
    path = source.path
    bytes = source.bytes
    let tree = source.bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
    scan(tree.statements, Scope())
  }

  private mutating func scan(_ items: CodeBlockItemListSyntax, _ scope: Scope) {
    for item in items {
      if case .decl(let declaration) = item.item { scan(declaration, scope) }
    }
  }

  private mutating func scan(_ members: MemberBlockItemListSyntax, _ scope: Scope) {
    for member in members { scan(member.decl, scope) }
  }

  private mutating func scan(_ declaration: DeclSyntax, _ scope: Scope) {
    switch declaration.as(DeclSyntaxEnum.self) {
    case .structDecl(let type): scan(type, generic: type.genericParameterClause, scope)
    case .classDecl(let type): scan(type, generic: type.genericParameterClause, scope)
    case .enumDecl(let type): scan(type, generic: type.genericParameterClause, scope)
    case .actorDecl(let type): scan(type, generic: type.genericParameterClause, scope)
    case .extensionDecl(let type): scan(type, scope)
    case .functionDecl(let function):
      guard let body = function.body else { return }
      var inner = scope
      inner.reach = scope.reach.joined(with: .local)
      scan(body.statements, inner)
    case .ifConfigDecl(let config): scan(config, scope)
    default: return
    }
  }

  private mutating func scan(
    _ type: some NamedDeclSyntax & DeclGroupSyntax & WithAttributesSyntax & WithModifiersSyntax,
    generic: GenericParameterClauseSyntax?, _ scope: Scope
  ) {
    guard type.name.presence == .present, case .identifier = type.name.tokenKind else { return }
    var inner = scope
    inner.name = scope.nested(type.name.text)
    let own: DeclaredType.Reach = generic != nil ? .generic : Self.isHidden(type.modifiers) ? .hidden : .everywhere
    inner.reach = scope.reach.joined(with: own)
    types[inner.name, default: []].append(DeclaredType(path: path, reach: inner.reach))
    let attributes = AttributeReader(type.attributes)
    if attributes.isUnavailable { return }
    inner.conditions += attributes.availability
    if type.is(StructDeclSyntax.self), let mark = attributes.mark {
      let offset = type.name.positionAfterSkippingLeadingTrivia.utf8Offset
      count(to: offset)
      findings.append(
        Finding(
          function: MarkedFunction(
            name: inner.name, conditions: inner.conditions + mark.conditions, functionName: mark.functionName,
            path: path,
            offset: offset, line: line, column: offset - lineStart + 1),
          reach: inner.reach, extended: scope.extended))
    }
    scan(type.memberBlock.members, inner)
  }

  private mutating func scan(_ type: ExtensionDeclSyntax, _ scope: Scope) {
    let extended = type.extendedType.trimmedDescription
    guard Self.isName(type.extendedType) else { return }
    var inner = scope
    inner.name = scope.nested(extended)
    inner.extended = extended
    let own: DeclaredType.Reach =
      type.genericWhereClause != nil ? .generic : Self.isHidden(type.modifiers) ? .hidden : .everywhere
    inner.reach = scope.reach.joined(with: own)
    let attributes = AttributeReader(type.attributes)
    if attributes.isUnavailable { return }
    inner.conditions += attributes.availability
    scan(type.memberBlock.members, inner)
  }

  private mutating func scan(_ config: IfConfigDeclSyntax, _ scope: Scope) {
    for (condition, clause) in Condition.clauses(of: config) {
      var inner = scope
      inner.conditions.append(condition)
      switch clause.elements {
      case .statements(let items)?: scan(items, inner)
      case .decls(let members)?: scan(members, inner)
      case .attributes?, .postfixExpression?, .switchCases?, nil: continue
      }
    }
  }

  /// swift-syntax's own converter walks the whole tree by recursion, and long expressions are deep.
  private mutating func count(to offset: Int) {
    while counted < min(offset, bytes.count) {
      counted += 1
      guard bytes[counted - 1] == UInt8(ascii: "\n") else { continue }
      line += 1
      lineStart = counted
    }
  }

  private static func isHidden(_ modifiers: DeclModifierListSyntax) -> Bool {
    modifiers.contains { $0.name.tokenKind == .keyword(.private) || $0.name.tokenKind == .keyword(.fileprivate) }
  }

  /// `Outer.Inner`, and nothing that isn't a name, such as an array or what a parser guesses in broken text.
  private static func isName(_ type: TypeSyntax) -> Bool {
    if let name = type.as(IdentifierTypeSyntax.self) {
      return name.genericArgumentClause == nil && name.name.presence == .present
    }
    guard let member = type.as(MemberTypeSyntax.self), member.genericArgumentClause == nil else { return false }
    return member.name.presence == .present && isName(member.baseType)
  }
}
