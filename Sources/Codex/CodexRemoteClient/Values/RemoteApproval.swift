public import ResolveKitCore

/// A question of codex that a person decides on.
public struct RemoteApproval: Hashable, Sendable, Identifiable {
  /// The question's id, for the answer.
  public let id: String
  /// `command`, `fileChange`, `permissions`, `toolCall`, `elicitation`, or what a later companion asks about.
  public let form: String
  /// The question in short.
  public let title: String
  /// The command, or what is asked about in a sentence.
  public let summary: String
  /// The meaning of a yes, in a sentence; empty where the companion gives none.
  public let consequence: String
  /// The MCP server whose tool or form it is about; nil for none.
  public let serverName: String?
  /// The tool that is to be called; nil for none.
  public let toolName: String?
  /// Whether ``RemoteDecision/allowForSession`` is an answer.
  public let allowsSession: Bool
  /// Whether ``RemoteDecision/allowAlways`` is an answer.
  public let allowsAlways: Bool
  /// Whether it may be dismissed with neither a yes nor a no.
  public let allowsCancel: Bool
  /// The turn that waits for it; nil where the companion does not say.
  public let turnID: String?
  /// Exactly what is asked about: the command and its folder, the changes of a patch, a call's arguments.
  public let details: JSONObject

  /// nil where a member is missing without which nobody can decide.
  init?(json members: JSONObject) {
    guard let id = members["id"]?.stringValue, (1...200).contains(id.utf8.count),
      let summary = members["summary"]?.stringValue
    else { return nil }
    self.id = id
    self.summary = summary
    form = members["form"]?.stringValue ?? members["kind"]?.stringValue ?? ""
    title = members["title"]?.stringValue ?? "Approval"
    consequence = members["consequence"]?.stringValue ?? ""
    serverName = members["serverName"]?.stringValue
    toolName = members["toolName"]?.stringValue
    allowsSession = members["supportsSessionAllow"]?.boolValue ?? false
    allowsAlways = members["supportsAlwaysAllow"]?.boolValue ?? false
    allowsCancel = members["supportsCancel"]?.boolValue ?? false
    turnID = members["turnId"]?.stringValue
    details = members["details"]?.objectValue ?? [:]
  }
}

/// A person's answer to a ``RemoteApproval``; the raw value is the contract's.
public enum RemoteDecision: String, Hashable, Sendable, CaseIterable {
  /// Yes, this once.
  case approve
  /// No; the turn continues and learns of it.
  case decline
  /// Neither a yes nor a no, as far as ``RemoteApproval/allowsCancel`` says.
  case cancel
  /// For this chat, where ``RemoteApproval/allowsSession`` permits it.
  case allowForSession = "allow_for_session"
  /// Permanently, where ``RemoteApproval/allowsAlways`` permits it.
  case allowAlways = "allow_always"
}
