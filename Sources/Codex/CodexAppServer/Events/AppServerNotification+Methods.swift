import ResolveKitCore

extension AppServerNotification.Kind {
  init(_ method: String, _ params: JSONObject) {
    if let isReadable = Self.readers[method] {
      self = isReadable(params) ? .read : .unreadable
    } else {
      self = Self.otherMethods.contains(method) ? .passedOver : .unknown
    }
  }

  /// Whether the params have what the companion reads of them.
  private static let readers: [String: @Sendable (JSONObject) -> Bool] = [
    "thread/closed": { $0["threadId"]?.stringValue != nil },
    "turn/started": hasTurn, "turn/completed": hasTurn, "item/started": hasItem, "item/completed": hasItem,
    "item/agentMessage/delta": { params in
      ["turnId", "itemId", "delta"].allSatisfy { params[$0]?.stringValue != nil }
    },
    "error": { $0["error"]?.objectValue?["message"]?.stringValue != nil && $0["willRetry"]?.boolValue != nil },
    "serverRequest/resolved": { $0["requestId"].flatMap { AppServerID($0) } != nil },
  ]

  @Sendable private static func hasTurn(_ params: JSONObject) -> Bool {
    params["turn"]?.objectValue?["id"]?.stringValue != nil
  }

  @Sendable private static func hasItem(_ params: JSONObject) -> Bool {
    let item = params["item"]?.objectValue
    return params["turnId"]?.stringValue != nil && item?["id"]?.stringValue != nil && item?["type"]?.stringValue != nil
  }

  /// The rest of the schema that codex 0.163.0 generates.
  private static let otherMethods: Set<String> = [
    "account/gatewayOAuth/changed", "account/login/completed", "account/rateLimits/updated", "account/updated",
    "app/list/updated", "autoApprovalReview/strictReviewRequired", "command/exec/outputDelta", "configWarning",
    "deprecationNotice", "externalAgentConfig/import/completed", "externalAgentConfig/import/progress", "fs/changed",
    "fuzzyFileSearch/sessionCompleted", "fuzzyFileSearch/sessionUpdated", "guardianWarning", "hook/completed",
    "hook/started", "item/autoApprovalReview/completed", "item/autoApprovalReview/started",
    "item/commandExecution/outputDelta", "item/commandExecution/terminalInteraction", "item/fileChange/outputDelta",
    "item/fileChange/patchUpdated", "item/mcpToolCall/progress", "item/plan/delta", "item/reasoning/summaryPartAdded",
    "item/reasoning/summaryTextDelta", "item/reasoning/textDelta", "mcpServer/event/stream/notification",
    "mcpServer/oauthLogin/completed", "mcpServer/startupStatus/updated", "model/rerouted",
    "model/safetyBuffering/updated", "model/verification", "modelProvider/authRecoveryCompleted",
    "modelProvider/authRecoveryStarted", "process/exited", "process/outputDelta", "project/changed",
    "remoteControl/status/changed", "skills/changed", "thread/archived", "thread/attachment/updated",
    "thread/compacted", "thread/deleted", "thread/environment/connected", "thread/environment/disconnected",
    "thread/goal/cleared", "thread/goal/updated", "thread/name/updated", "thread/prediction/updated",
    "thread/project/updated", "thread/queue/changed", "thread/readState/changed", "thread/realtime/closed",
    "thread/realtime/error", "thread/realtime/item/completed", "thread/realtime/item/started",
    "thread/realtime/item/transcript/delta", "thread/realtime/itemAdded", "thread/realtime/outputAudio/delta",
    "thread/realtime/sdp", "thread/realtime/started", "thread/realtime/transcript/delta",
    "thread/realtime/transcript/done", "thread/reverted", "thread/settings/updated", "thread/started",
    "thread/status/changed", "thread/tokenUsage/updated", "thread/unarchived", "turn/diff/updated",
    "turn/moderationMetadata", "turn/plan/updated", "warning", "windows/worldWritableWarning",
    "windowsSandbox/setupCompleted",
  ]
}
