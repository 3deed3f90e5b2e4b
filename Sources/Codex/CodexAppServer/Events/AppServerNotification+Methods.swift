import ResolveKitCore

extension AppServerNotification.Kind {
  init(_ method: String, _ reader: ParamsReader) {
    if let read = Self.readers[method] {
      self = read(reader) ?? .unreadable
    } else {
      self = Self.otherMethods.contains(method) ? .known : .unknown
    }
  }

  private typealias Read = @Sendable (ParamsReader) -> Self?

  private static let readers: [String: Read] = [
    "thread/started": { $0.members["thread"].map { .threadStarted(thread: $0) } },
    "thread/status/changed": {
      $0.members["status"].flatMap { AppServerThreadStatus($0) }.map { .threadStatusChanged($0) }
    },
    "thread/closed": { $0.threadID.map { _ in .threadClosed } },
    "thread/name/updated": { reader in
      reader.threadID.map { _ in .threadNameUpdated(name: reader.string("threadName")) }
    },
    "thread/archived": { $0.threadID.map { _ in .threadArchived } },
    "thread/unarchived": { $0.threadID.map { _ in .threadUnarchived } },
    "thread/deleted": { $0.threadID.map { _ in .threadDeleted } },
    "turn/started": { $0.turnID.map { _ in .turnStarted } },
    "turn/completed": { $0.members["turn"].flatMap { AppServerTurnEnd($0) }.map { .turnCompleted($0) } },
    "turn/diff/updated": { $0.string("diff").map { .turnDiffUpdated(diff: $0) } },
    "turn/plan/updated": { $0.turnID.map { _ in .turnPlanUpdated } },
    "thread/tokenUsage/updated": { $0.threadID.map { _ in .tokenUsageUpdated } },
    "item/started": { $0.members["item"].flatMap { AppServerItem($0) }.map { .itemStarted($0) } },
    "item/completed": { $0.members["item"].flatMap { AppServerItem($0) }.map { .itemCompleted($0) } },
    "item/agentMessage/delta": { delta($0) { .agentMessageDelta(itemID: $0, delta: $1) } },
    "item/plan/delta": { delta($0) { .planDelta(itemID: $0, delta: $1) } },
    "item/commandExecution/outputDelta": { delta($0) { .commandOutputDelta(itemID: $0, delta: $1) } },
    "item/reasoning/summaryTextDelta": { reader in
      guard let index = reader.members["summaryIndex"]?.integerValue else { return nil }
      return delta(reader) { .reasoningSummaryDelta(itemID: $0, index: index, delta: $1) }
    },
    "item/reasoning/summaryPartAdded": { reader in
      guard let index = reader.members["summaryIndex"]?.integerValue else { return nil }
      return reader.itemID.map { .reasoningSummaryPartAdded(itemID: $0, index: index) }
    },
    "item/reasoning/textDelta": { reader in
      guard let index = reader.members["contentIndex"]?.integerValue else { return nil }
      return delta(reader) { .reasoningTextDelta(itemID: $0, index: index, delta: $1) }
    },
    "item/fileChange/patchUpdated": { $0.itemID.map { .fileChangeUpdated(itemID: $0) } },
    "item/mcpToolCall/progress": { reader in
      guard let item = reader.itemID, let message = reader.string("message") else { return nil }
      return .mcpToolCallProgress(itemID: item, message: message)
    },
    "serverRequest/resolved": { $0.members["requestId"].flatMap { AppServerID($0) }.map { .requestResolved($0) } },
    "error": { reader in
      guard let message = reader.members["error"]?.objectValue?["message"]?.stringValue,
        let willRetry = reader.members["willRetry"]?.boolValue
      else { return nil }
      return .error(message: message, willRetry: willRetry)
    },
    "warning": { $0.string("message").map { .warning(message: $0) } },
    "guardianWarning": { $0.string("message").map { .warning(message: $0) } },
    "configWarning": { $0.string("summary").map { .configWarning(summary: $0) } },
    "deprecationNotice": { $0.string("summary").map { .deprecationNotice(summary: $0) } },
  ]

  private static func delta(_ reader: ParamsReader, _ make: (String, String) -> Self) -> Self? {
    guard let item = reader.itemID, let delta = reader.string("delta") else { return nil }
    return make(item, delta)
  }

  /// The rest of the schema that codex 0.163.0 generates.
  private static let otherMethods: Set<String> = [
    "account/gatewayOAuth/changed", "account/login/completed", "account/rateLimits/updated", "account/updated",
    "app/list/updated", "autoApprovalReview/strictReviewRequired", "command/exec/outputDelta",
    "externalAgentConfig/import/completed", "externalAgentConfig/import/progress", "fs/changed",
    "fuzzyFileSearch/sessionCompleted", "fuzzyFileSearch/sessionUpdated", "hook/completed", "hook/started",
    "item/autoApprovalReview/completed", "item/autoApprovalReview/started",
    "item/commandExecution/terminalInteraction", "item/fileChange/outputDelta", "mcpServer/event/stream/notification",
    "mcpServer/oauthLogin/completed", "mcpServer/startupStatus/updated", "model/rerouted",
    "model/safetyBuffering/updated", "model/verification", "modelProvider/authRecoveryCompleted",
    "modelProvider/authRecoveryStarted", "process/exited", "process/outputDelta", "project/changed",
    "remoteControl/status/changed", "skills/changed", "thread/attachment/updated", "thread/compacted",
    "thread/environment/connected", "thread/environment/disconnected", "thread/goal/cleared", "thread/goal/updated",
    "thread/prediction/updated", "thread/project/updated", "thread/queue/changed", "thread/readState/changed",
    "thread/realtime/closed", "thread/realtime/error", "thread/realtime/item/completed",
    "thread/realtime/item/started", "thread/realtime/item/transcript/delta", "thread/realtime/itemAdded",
    "thread/realtime/outputAudio/delta", "thread/realtime/sdp", "thread/realtime/started",
    "thread/realtime/transcript/delta", "thread/realtime/transcript/done", "thread/reverted",
    "thread/settings/updated", "turn/moderationMetadata", "windows/worldWritableWarning",
    "windowsSandbox/setupCompleted",
  ]
}
