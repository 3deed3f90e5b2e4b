import SwiftSyntax

/// A parameter's type as written. A macro sees only its spelling.
struct ParameterType {
  struct Fault {
    /// "a tuple"
    let what: String
    let replacement: String
  }

  /// Without attributes, specifiers and parentheses; `T!` is `T?`.
  let type: TypeSyntax

  init(_ written: TypeSyntax) {
    var type = written.trimmed
    while true {
      if let attributed = type.as(AttributedTypeSyntax.self) {
        type = attributed.baseType.trimmed
      } else if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
        only.firstName == nil, only.ellipsis == nil
      {
        type = only.type.trimmed
      } else if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        type = TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType.trimmed))
      } else {
        break
      }
    }
    self.type = type
  }

  var text: String { type.trimmedDescription }

  /// The wrapped type of `T?`, `Optional<T>` and `Swift.Optional<T>`.
  var wrapped: TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    guard name == "Optional", let arguments = genericArguments, arguments.count == 1 else { return nil }
    return arguments[0]
  }

  var isOptional: Bool { wrapped != nil }

  var isContext: Bool {
    (wrapped.map { ParameterType($0) } ?? self).name == "ResolveKitFunctionContext"
  }

  var isVoid: Bool {
    name == "Void" || type.as(TupleTypeSyntax.self)?.elements.isEmpty ?? false
  }

  /// The identifier of a nominal type, without the module or the type that it is in.
  var name: String? {
    type.as(IdentifierTypeSyntax.self)?.name.text ?? type.as(MemberTypeSyntax.self)?.name.text
  }

  /// Whether it is written as the plain standard type, so that its schema needs no look at run time.
  func isStandard(_ wanted: String) -> Bool {
    if let identifier = type.as(IdentifierTypeSyntax.self) { return identifier.name.text == wanted }
    return text == "Swift.\(wanted)"
  }

  private var genericArguments: [TypeSyntax]? {
    let clause =
      type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) }
  }

  /// The reason for which no JSON can be read as this type, at any depth of it.
  var fault: Fault? {
    if let own = faultOfShape { return own }
    var parts: [TypeSyntax] = []
    if let wrapped { parts.append(wrapped) }
    if let array = type.as(ArrayTypeSyntax.self) { parts.append(array.element) }
    if let dictionary = type.as(DictionaryTypeSyntax.self) { parts += [dictionary.key, dictionary.value] }
    parts += genericArguments ?? []
    for part in parts {
      guard let fault = ParameterType(part).fault else { continue }
      let range = text.firstRange(of: part.trimmedDescription)
      let whole =
        range.map { text[..<$0.lowerBound] + fault.replacement + text[$0.upperBound...] } ?? fault.replacement[...]
      return Fault(what: fault.what, replacement: String(whole))
    }
    return nil
  }

  /// The fault of the type as a result's, which may be any Encodable type, known or not.
  var faultAsResult: Fault? {
    type.is(SomeOrAnyTypeSyntax.self) ? nil : fault
  }

  private var faultOfShape: Fault? {
    let placeholder = "<#a Codable type#>"
    if type.is(TupleTypeSyntax.self) { return Fault(what: "a tuple", replacement: "<#a Codable struct#>") }
    if type.is(FunctionTypeSyntax.self) { return Fault(what: "a closure", replacement: placeholder) }
    if type.is(MetatypeTypeSyntax.self) { return Fault(what: "a metatype", replacement: placeholder) }
    if type.is(SomeOrAnyTypeSyntax.self) || type.is(CompositionTypeSyntax.self) {
      let word = text.hasPrefix("some") ? "an opaque type" : "an existential type"
      return Fault(what: "\(word) ('\(text)')", replacement: placeholder)
    }
    if let array = type.as(InlineArrayTypeSyntax.self) {
      return Fault(what: "an inline array", replacement: "[\(array.element.trimmedDescription)]")
    }
    guard type.is(IdentifierTypeSyntax.self) else { return nil }
    switch name {
    case "Any", "AnyObject", "AnyHashable": return Fault(what: "'\(text)'", replacement: "JSONValue")
    case "Character", "Substring": return Fault(what: "'\(text)'", replacement: "String")
    case "Void": return Fault(what: "'\(text)'", replacement: placeholder)
    // The type that the macro makes hides one of that name.
    case "Input": return Fault(what: "'Input', which the macro makes", replacement: "<#the type by another name#>")
    default: return nil
    }
  }
}
