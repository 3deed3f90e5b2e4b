/// The place of a declaration in a source.
struct Scope {
  /// The name of the type around it, empty in the file's scope.
  var name = ""
  var reach = DeclaredType.Reach.everywhere
  var conditions: [Condition] = []
  /// The type that the enclosing extension extends, as spelled there.
  var extended: String?

  func nested(_ inner: String) -> String { name.isEmpty ? inner : "\(name).\(inner)" }
}
