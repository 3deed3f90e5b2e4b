/// Everything that is marked in a module's sources, judged.
struct Scan {
  private(set) var functions: [MarkedFunction] = []
  /// Diagnostics in the compiler's format.
  private(set) var warnings: [String] = []

  init(paths: [String]) throws(CodegenError) {
    var findings: [SourceScanner.Finding] = []
    var types: [String: [DeclaredType]] = [:]
    var others: [String] = []
    for path in paths {
      let source = try SourceFile(path: path)
      guard source.mayMarkFunctions else {
        others.append(path)
        continue
      }
      let scanner = SourceScanner(source)
      findings += scanner.findings
      types.merge(scanner.types) { $0 + $1 }
    }
    // A function in an extension depends on a type that may be declared in a source that marks none.
    if findings.contains(where: { $0.extended != nil && Self.extendedType(of: $0, types) == nil }) {
      for path in others { types.merge(SourceScanner(try SourceFile(path: path)).types) { $0 + $1 } }
    }
    if let own = types[Registry.name]?.first {
      throw CodegenError(
        .input, "'\(own.path)' declares \(Registry.name) already; remove it, or the plugin that generates it anew.")
    }
    for finding in findings { judge(finding, types) }
    warnAboutNames()
  }

  private mutating func judge(_ finding: SourceScanner.Finding, _ types: [String: [DeclaredType]]) {
    let function = finding.function
    // A type that is declared nowhere here is another module's.
    let around = Self.extendedType(of: finding, types)?.reach ?? .everywhere
    if let reason = around.joined(with: finding.reach).reason {
      warn(function, "'\(function.name)' is not registered: \(reason)")
    } else {
      functions.append(function)
    }
  }

  /// The declaration of the type that the extension around it extends; a private one of another file is another type.
  private static func extendedType(
    of finding: SourceScanner.Finding, _ types: [String: [DeclaredType]]
  ) -> DeclaredType? {
    let declared = finding.extended.flatMap { types[$0] } ?? []
    return declared.first { $0.path == finding.function.path } ?? declared.first { $0.reach != .hidden }
  }

  /// Two functions with one name would fail the start of every runtime that gets the registry.
  private mutating func warnAboutNames() {
    var earlier: [String: [MarkedFunction]] = [:]
    for function in functions {
      guard let name = function.functionName else { continue }
      if let other = earlier[name]?.first(where: { $0.name != function.name && $0.meets(function) }) {
        warn(
          function,
          "'\(function.name)' has the name \"\(name)\", as '\(other.name)' has; a runtime with both doesn't start")
        warnings.append("\(other.place): note: '\(other.name)' is here")
      }
      earlier[name, default: []].append(function)
    }
  }

  private mutating func warn(_ function: MarkedFunction, _ text: String) {
    warnings.append("\(function.place): warning: \(text)")
  }
}
