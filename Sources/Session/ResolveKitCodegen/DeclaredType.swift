/// A type as its declaration describes it, for functions that are nested in it from another place.
struct DeclaredType {
  let path: String
  let reach: Reach

  /// Whether code in another file of the module can name a type.
  enum Reach: Hashable {
    case everywhere
    /// private or fileprivate, itself or a type around it.
    case hidden
    /// The type or a type around it has type parameters, so its name alone is no type.
    case generic
    /// Declared in a function.
    case local

    /// The reach of a type that is declared within a type of this reach.
    func joined(with inner: Reach) -> Reach { self == .everywhere ? inner : self }

    var reason: String? {
      switch self {
      case .everywhere: nil
      case .hidden: "it is private; make it internal"
      case .generic: "it is generic, itself or by the type around it; use a type without parameters"
      case .local: "it is declared in a function; move it out"
      }
    }
  }
}
