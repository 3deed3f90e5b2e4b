/// One condition on a declaration's existence, as lines around the code that names it.
enum Condition: Hashable {
  /// A clause of `#if`: those before it, and its own condition, nil for `#else`.
  ///
  /// The clauses before it are repeated rather than negated: the compiler reads `compiler(>=6)` and its like by rules
  /// that a negation would not keep.
  case clause(after: [String], String?)
  /// The versions that `@available` asks for, such as `iOS 17`.
  case available([String])

  var opening: [String] {
    switch self {
    case .clause(let earlier, let own):
      let clauses = earlier.enumerated().map { ($0 == 0 ? "#if " : "#elseif ") + $1 }
      return clauses + [own.map { (earlier.isEmpty ? "#if " : "#elseif ") + $0 } ?? "#else"]
    case .available(let versions): return ["if #available(\(versions.joined(separator: ", ")), *) {"]
    }
  }

  var closing: String {
    switch self {
    case .clause: "#endif"
    case .available: "}"
    }
  }
}
