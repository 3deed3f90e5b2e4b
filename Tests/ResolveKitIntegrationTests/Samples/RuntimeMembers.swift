import ResolveKitUI

/// Every published property of the runtime, with the type that the documentation gives it.
@MainActor
struct RuntimeProperties {
  var messages: [ResolveKitChatMessage]
  var connectionState: ResolveKitConnectionState
  var isTurnInProgress: Bool
  var pendingToolCall: ResolveKitPendingToolCall?
  var toolCallChecklist: [ToolCallChecklistItem]
  var toolCallBatchState: ResolveKitToolCallBatchState
  var toolCallBatches: [ToolCallChecklistBatch]
  var executionLog: [String]
  var lastError: String?
  var chatTheme: ResolveKitChatTheme
  var appearanceMode: ResolveKitAppearanceMode
  var currentLocale: String
  var chatTitle: String
  var messagePlaceholder: String

  init(of runtime: ResolveKitRuntime) {
    messages = runtime.messages
    connectionState = runtime.connectionState
    isTurnInProgress = runtime.isTurnInProgress
    pendingToolCall = runtime.pendingToolCall
    toolCallChecklist = runtime.toolCallChecklist
    toolCallBatchState = runtime.toolCallBatchState
    toolCallBatches = runtime.toolCallBatches
    executionLog = runtime.executionLog
    lastError = runtime.lastError
    chatTheme = runtime.chatTheme
    appearanceMode = runtime.appearanceMode
    currentLocale = runtime.currentLocale
    chatTitle = runtime.chatTitle
    messagePlaceholder = runtime.messagePlaceholder
  }
}

/// Every method of the runtime, with the type that the documentation gives it.
@MainActor
struct RuntimeMethods {
  var start: () async throws -> Void
  var reloadWithNewSession: () async -> Void
  var refreshSessionContext: () async throws -> Void
  var sendMessage: (String) async -> Void
  var approveToolCallBatch: () async -> Void
  var declineToolCallBatch: () async -> Void
  var approveCurrentToolCall: () async -> Void
  var denyCurrentToolCall: () async -> Void
  var setAppearance: (ResolveKitAppearanceMode) -> Void
  var setLocale: (String?) async -> Void

  init(of runtime: ResolveKitRuntime) {
    start = runtime.start
    reloadWithNewSession = runtime.reloadWithNewSession
    refreshSessionContext = runtime.refreshSessionContext
    sendMessage = runtime.sendMessage
    approveToolCallBatch = runtime.approveToolCallBatch
    declineToolCallBatch = runtime.declineToolCallBatch
    approveCurrentToolCall = runtime.approveCurrentToolCall
    denyCurrentToolCall = runtime.denyCurrentToolCall
    setAppearance = { mode in runtime.setAppearance(mode) }
    setLocale = runtime.setLocale
  }
}

/// The words of the documentation's tables of states, and no other.
enum DocumentedWords {
  static func of(_ state: ResolveKitConnectionState) -> String {
    switch state {
    case .idle: "idle"
    case .registering: "registering"
    case .connecting: "connecting"
    case .active: "active"
    case .reconnecting: "reconnecting"
    case .reconnected: "reconnected"
    case .failed: "failed"
    case .blocked: "blocked"
    }
  }

  static func of(_ status: ToolCallItemStatus) -> String {
    switch status {
    case .pendingApproval: "pendingApproval"
    case .running: "running"
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed(let error): "failed(\(error))"
    }
  }

  static func of(_ mode: ResolveKitAppearanceMode) -> String {
    switch mode {
    case .system: "system"
    case .light: "light"
    case .dark: "dark"
    }
  }
}
