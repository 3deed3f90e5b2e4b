import ResolveKitCore

extension AppServerRequest.Kind {
  init(_ method: String, _ params: JSONObject) {
    if let (kind, required) = Self.readMethods[method] {
      self = required.allSatisfy { Self.has(params, $0) } ? kind : .unreadable
    } else {
      self = Self.unservedMethods.contains(method) ? .unserved : .unknown
    }
  }

  private enum Member {
    case text(String)
    case texts(String)
    case any(String)
  }

  private static func has(_ params: JSONObject, _ member: Member) -> Bool {
    switch member {
    case .text(let name): params[name]?.stringValue != nil
    case .texts(let name): params[name]?.arrayValue?.allSatisfy { $0.stringValue != nil } == true
    case .any(let name): params[name] != nil
    }
  }

  /// The methods that are answered here, with what a question needs to be put to a person.
  private static let readMethods: [String: (kind: Self, required: [Member])] = [
    "item/commandExecution/requestApproval": (.commandApproval, [.text("itemId")]),
    "item/fileChange/requestApproval": (.fileChangeApproval, [.text("itemId")]),
    "item/permissions/requestApproval": (.permissionsApproval, [.any("permissions")]),
    "mcpServer/elicitation/request": (.elicitation, [.text("serverName"), .text("mode")]),
    "item/tool/call": (.toolCall, [.text("callId"), .text("tool")]),
    "currentTime/read": (.currentTime, []),
    "execCommandApproval": (.legacyApproval, [.texts("command")]),
    "applyPatchApproval": (.legacyApproval, [.any("fileChanges")]),
  ]

  /// The model's questions to a person, which no client of the companion can show; and what only the owner of codex's
  /// account could answer.
  private static let unservedMethods: Set = [
    "item/tool/requestUserInput", "account/chatgptAuthTokens/refresh", "attestation/generate",
  ]
}
