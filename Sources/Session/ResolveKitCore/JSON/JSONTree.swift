/// The tree that the parser builds.
protocol JSONTree {
  static func string(_ text: String) -> Self
  static func bool(_ flag: Bool) -> Self
  static func object(_ members: [String: Self]) -> Self
  static func array(_ elements: [Self]) -> Self
  static var null: Self { get }
  /// Whether an object may have two members of one name, of which the last counts; else such a text is refused.
  static var allowsRepeatedNames: Bool { get }
  /// A number by its text in the grammar of RFC 8259 § 6; nil where it cannot be held.
  static func number(written text: String) -> Self?
}

extension JSONValue: JSONTree {
  static var allowsRepeatedNames: Bool { true }

  static func number(written text: String) -> JSONValue? {
    guard let number = Double(text), number.isFinite else { return nil }
    return .number(number)
  }
}
