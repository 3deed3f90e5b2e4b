import ResolveKitCore

extension AppServerRequest.Kind {
  init(_ method: String, _ reader: ParamsReader) {
    if let read = Self.readers[method] {
      self = read(reader) ?? .unreadable
    } else {
      self = Self.unservedMethods.contains(method) ? .unserved : .unknown
    }
  }

  private typealias Read = @Sendable (ParamsReader) -> Self?

  private static let unservedMethods: Set = ["account/chatgptAuthTokens/refresh", "attestation/generate"]

  private static let readers: [String: Read] = [
    "item/commandExecution/requestApproval": { reader in
      reader.itemID.map { _ in .commandApproval(AppServerCommandApproval(reader)) }
    },
    "item/fileChange/requestApproval": { reader in
      reader.itemID.map { _ in .fileChangeApproval(reason: reader.string("reason")) }
    },
    "item/permissions/requestApproval": { reader in
      reader.members["permissions"].map { .permissionsApproval(permissions: $0, reason: reader.string("reason")) }
    },
    "mcpServer/elicitation/request": { AppServerElicitation($0).map { .elicitation($0) } },
    "item/tool/requestUserInput": { $0.members["questions"]?.arrayValue.map { .userInput(questions: $0) } },
    "item/tool/call": { reader in
      guard let call = reader.string("callId"), let tool = reader.string("tool") else { return nil }
      return .toolCall(
        callID: call, namespace: reader.string("namespace"), tool: tool,
        arguments: reader.members["arguments"] ?? .null)
    },
    "currentTime/read": { _ in .currentTime },
    "execCommandApproval": { $0.strings("command").map { .legacyCommandApproval(command: $0) } },
    "applyPatchApproval": { $0.members["fileChanges"].map { .legacyFileChangeApproval(changes: $0) } },
  ]
}
