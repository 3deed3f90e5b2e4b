import SwiftSyntax

extension Condition {
  /// Each clause with its condition. One that the parser could not read holds never: nothing in it would compile.
  static func clauses(of config: IfConfigDeclSyntax) -> [(Condition, IfConfigClauseSyntax)] {
    var earlier: [String] = []
    var clauses: [(Condition, IfConfigClauseSyntax)] = []
    for clause in config.clauses {
      let isElse = clause.poundKeyword.tokenKind == .poundElse
      let own: String? = isElse ? nil : text(of: clause)
      // An `#else` that comes first is broken text.
      clauses.append((.clause(after: earlier, own ?? (earlier.isEmpty ? "false" : nil)), clause))
      if let own { earlier.append(own) }
    }
    return clauses
  }

  private static func text(of clause: IfConfigClauseSyntax) -> String {
    guard let condition = clause.condition, !condition.hasError, !condition.trimmed.description.isEmpty else {
      return "false"
    }
    return condition.trimmedDescription
  }
}
