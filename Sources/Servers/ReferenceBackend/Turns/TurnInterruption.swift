import ResolveKitCore

/// The reason to end a turn before its time.
package enum TurnInterruption: Equatable, Sendable {
  case user
  /// A person takes over.
  case escalation(reason: String)

  private static let reasonName = "reason"

  /// Its form in the database.
  init(_ json: JSONValue) {
    if let reason = json.objectValue?[Self.reasonName]?.stringValue {
      self = .escalation(reason: reason)
    } else {
      self = .user
    }
  }

  var jsonText: String {
    switch self {
    case .user: "{}"
    case .escalation(let reason): JSONValue.object([Self.reasonName: .string(reason)]).jsonText
    }
  }

  /// The interruption of a turn that `earlier` was to end already: a takeover has to be reported.
  func after(_ earlier: TurnInterruption?) -> TurnInterruption {
    if let earlier, case .escalation = earlier { return earlier }
    return self
  }
}
