package import ResolveKitCore

/// A message of a person or the agent in a chat.
package struct ChatMessage: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable {
    case user
    case assistant
  }

  package enum Phase: String, Hashable, Sendable {
    case commentary
    case finalAnswer = "final_answer"
  }

  package var id: String
  package var role: Role
  package var text: String
  /// Seconds since 1970.
  package var createdAt: Int
  package var phase: Phase?
  /// The time from the person's last message to this final answer.
  package var workedDurationSeconds: Int?
  /// The turn that it was said in; an extension, nil in the older kind of histories.
  package var turnID: String?

  package init(
    id: String, role: Role, text: String, createdAt: Int, phase: Phase? = nil, workedDurationSeconds: Int? = nil,
    turnID: String? = nil
  ) {
    self.id = id
    self.role = role
    self.text = text
    self.createdAt = createdAt
    self.phase = phase
    self.workedDurationSeconds = workedDurationSeconds
    self.turnID = turnID
  }

  package var json: JSONValue {
    var members: JSONObject = [
      "id": .string(id), "role": .string(role.rawValue), "text": .string(text), "createdAt": .number(Double(createdAt)),
    ]
    members["phase"] = phase.map { .string($0.rawValue) }
    members["turnId"] = turnID.map { .string($0) }
    members["workedDurationSeconds"] = workedDurationSeconds.map { .number(Double($0)) }
    return .object(members)
  }
}
