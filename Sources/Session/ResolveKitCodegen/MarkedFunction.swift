/// A structure that is marked with `@ResolveKit`.
struct MarkedFunction {
  /// The properties that decide whether the generated code is the same.
  struct Entry: Hashable {
    let name: String
    let conditions: [Condition]
  }

  /// From the file's scope down, such as `Outer.Inner`, as the source spells it.
  let name: String
  /// The conditions under which the type exists, the outermost first.
  let conditions: [Condition]
  /// The tool's name; nil where the source has no plain literal for it.
  let functionName: String?
  let path: String
  /// Bytes from the start of the source, and the same for a person.
  let offset: Int
  let line: Int
  let column: Int

  /// The place in the compiler's form.
  var place: String { "\(path):\(line):\(column)" }

  /// Whether both exist for sure where the one with more conditions does. Clauses of `#if` may exclude each other.
  func meets(_ other: MarkedFunction) -> Bool {
    conditions.starts(with: other.conditions) || other.conditions.starts(with: conditions)
  }

  var entry: Entry { Entry(name: name, conditions: conditions) }
}
