public import ResolveKitCore

/// The form of an MCP server's own question (elicitation): flat, with fields of a few kinds.
public struct RemoteForm: Hashable, Sendable {
  /// The fields: those that have to be answered first, in the server's order.
  public let fields: [Field]

  /// One answer of a ``RemoteForm``.
  public struct Field: Hashable, Sendable, Identifiable {
    /// The answer's name in the content.
    public let name: String
    /// The field's name for a person.
    public let title: String
    /// The server's description; nil where it gives none.
    public let about: String?
    /// Whether the form is no answer without it.
    public let isRequired: Bool
    /// The kind of answer that it takes.
    public let kind: Kind
    /// The answer that counts where nothing is chosen, as the server proposes; nil for none.
    public let preset: JSONValue?

    public var id: String { name }
  }

  /// The kind of answer that a field takes.
  public enum Kind: Hashable, Sendable {
    /// - Parameter format: such as `email`, `uri`, `date` or `date-time`; nil for any text.
    case text(format: String?, minimumLength: Int?, maximumLength: Int?)
    /// A number, whole or not, within these bounds; nil for none.
    case number(isInteger: Bool, minimum: Double?, maximum: Double?)
    /// True or false.
    case yesOrNo
    /// One of these.
    case choice([Choice])
    /// Several of these, within these numbers; nil for none.
    case choices([Choice], minimum: Int?, maximum: Int?)
  }

  /// One of the answers that there are to choose from.
  public struct Choice: Hashable, Sendable {
    /// The value in the answer's content.
    public let value: String
    /// The choice's name for a person.
    public let title: String
  }

  /// The content of an answer. Throws ``RemoteError`` with a sentence that names the field, where an answer is missing,
  /// is not asked for, or is not of its field's kind.
  public func content(_ answers: JSONObject) throws(RemoteError) -> JSONObject {
    for name in answers.keys where !fields.contains(where: { $0.name == name }) {
      throw RemoteError(.misuse, "The form has no field '\(name)'.")
    }
    for field in fields {
      guard let answer = answers[field.name] else {
        guard !field.isRequired else { throw RemoteError(.misuse, "'\(field.title)' has to be answered.") }
        continue
      }
      try field.check(answer)
    }
    return answers
  }
}
