package import ResolveKitCore

/// The rules of approval: what a person allowed for a chat, and what they decided permanently.
///
/// A no wins over a yes. What has no scope, or one that is not known, is asked about.
package struct ApprovalPolicy: Hashable, Sendable {
  /// The maximum number of permanent decisions; one more is refused.
  static let maximumAllowances = 512
  /// Scopes that are allowed for chats, in all; one more is refused.
  static let maximumSessionScopes = 4_096

  private var kept: [String: Allowance] = [:]
  /// The ids of scopes, by chat.
  private var sessions: [String: Set<String>] = [:]

  package init() {}

  /// The oldest first.
  package var allowances: [Allowance] {
    kept.values.sorted { ($0.decidedAt, $0.id) < ($1.decidedAt, $1.id) }
  }

  package func ruling(on subject: ApprovalSubject, chat: String, isProjectClosed: Bool) -> ApprovalRuling {
    guard !isProjectClosed else { return .deny(.closedProject) }
    guard let scope = subject.scope else { return .ask(session: false, always: false) }
    if let allowance = kept[scope.id] {
      switch allowance.verdict {
      case .deny: return .deny(.kept(allowance))
      case .allow: return .allow(.kept(allowance))
      }
    }
    if sessions[chat]?.contains(scope.id) == true { return .allow(.session) }
    return .ask(session: true, always: scope.mayBeKept)
  }

  /// Takes a person's decision; answers whether it is a yes.
  package mutating func take(
    _ decision: ApprovalAnswer, on subject: ApprovalSubject, chat: String, by device: Device?, now: Int
  ) throws(ApprovalError) -> Bool {
    if let scope = subject.scope, kept[scope.id]?.verdict == .deny {
      guard decision == .decline else { throw .denied(scope) }
    }
    switch decision {
    case .approve: return true
    case .decline, .cancel:
      if let scope = subject.scope { sessions[chat]?.remove(scope.id) }
      return false
    case .allowForSession:
      guard let scope = subject.scope else { throw .onceOnly }
      guard sessions.values.reduce(0, { $0 + $1.count }) < Self.maximumSessionScopes else { throw .tooManySessions }
      sessions[chat, default: []].insert(scope.id)
      return true
    case .allowAlways:
      guard let scope = subject.scope, scope.mayBeKept else { throw .onceOnly }
      guard kept[scope.id] != nil || kept.count < Self.maximumAllowances else { throw .full }
      kept[scope.id] = Allowance(scope, .allow, at: now, by: device)
      return true
    }
  }

  /// The decision that was taken back; nil where there is none of that id.
  mutating func revoke(_ id: String) -> Allowance? { kept.removeValue(forKey: id) }

  /// Turns a decision into a no; nil where there is none of that id.
  mutating func deny(_ id: String) -> Allowance? {
    kept[id]?.verdict = .deny
    // An earlier allowance for a chat must not come back when the no is revoked.
    for chat in sessions.keys { sessions[chat]?.remove(id) }
    return kept[id]
  }

  /// Forgets what was allowed for a chat.
  mutating func forget(chat: String) { sessions[chat] = nil }

  /// Revokes what a device allowed permanently. Its denials stay.
  mutating func forget(device: Device.ID) -> [Allowance] {
    let gone = allowances.filter { $0.deviceID == device && $0.verdict == .allow }
    for allowance in gone { kept[allowance.id] = nil }
    return gone
  }

  // MARK: The file

  /// Throws where it is no file of a policy: a decision that is half understood must be neither kept nor forgotten.
  package init(_ members: JSONObject) throws(ControlError) {
    let fields = try ControlFields(.object(members), of: "The file")
    let allowances: [Allowance] = try fields.records("approvals")
    for allowance in allowances {
      // Of two on one scope the no counts.
      if kept[allowance.id]?.verdict != .deny { kept[allowance.id] = allowance }
    }
  }

  package var members: JSONObject { ["approvals": .array(allowances.map(\.json))] }
}
