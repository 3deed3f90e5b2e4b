import ResolveKitCore

/// The ways to answer a ``RemoteApproval``, apart from a no.
public enum RemoteAnswering: Hashable, Sendable {
  /// Answered by ``RemoteDecision/approve``, or by one that allows more.
  case yes
  /// Answered by the form's content, with ``RemoteDecision/approve``.
  case form(RemoteForm)
  /// Not here: it can be declined, or cancelled where that is offered.
  ///
  /// - Parameter reason: a sentence for a person.
  case impossible(reason: String)

  /// Whether there is a yes.
  public var isPossible: Bool {
    switch self {
    case .yes, .form: true
    case .impossible: false
    }
  }
}

extension RemoteApproval {
  /// The way to answer it. An MCP server's own question may have a form, or a way of asking that is not known here.
  public var answering: RemoteAnswering {
    guard form == "elicitation" else { return .yes }
    switch details["mode"]?.stringValue ?? "form" {
    case "url": return .yes
    case "form":
      do {
        let form = try RemoteForm(schema: details["requestedSchema"])
        return form.fields.isEmpty ? .yes : .form(form)
      } catch {
        return .impossible(reason: error.message)
      }
    case let other:
      return .impossible(reason: "The server asks in a way that is not known here ('\(other.prefix(40))').")
    }
  }
}
