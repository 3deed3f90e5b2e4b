import EventLedger
import Logging
import ResolveKitCore

/// The chats that are in use, and codex's word to each.
actor ChatHub {
  private let services: Chat.Services
  /// Whether a chat is kept from devices; it may ask codex.
  private let isHidden: @Sendable (String) async -> Bool
  /// Most chats: each is kept from its first use on.
  private let limit: Int
  private var chats: [String: Task<Chat, any Error>] = [:]
  /// The chats that codex has loaded, as it said when the connection was made; nil without one.
  private var loaded: Set<String>?

  init(
    _ services: Chat.Services, limit: Int = 4_096, isHidden: @escaping @Sendable (String) async -> Bool = { _ in false }
  ) {
    self.services = services
    self.limit = limit
    self.isHidden = isHidden
  }

  /// To be called before codex begins a chat. Throws ``ChatError`` where there is no room for it.
  func checkRoom() throws {
    guard chats.count < limit else {
      throw ChatError(
        .busy,
        "\(limit) chats were used since the companion was started, and it takes no other until it is started again.")
    }
  }

  /// The chat, taken up from its log at its first use. Throws `LedgerError`, or ``ChatError`` where the id is none.
  func chat(_ id: String) async throws -> Chat {
    guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ Self.idBytes.contains($0) }) else {
      throw ChatError.chatNotFound
    }
    if let known = chats[id] { return try await known.value }
    try checkRoom()
    let isStale = loaded.map { !$0.contains(id) } ?? false
    let opening = Task { [services] in
      let chat = try await Chat(id, services: services)
      // Its log may end in the middle of a turn that nothing runs any more.
      if isStale { await chat.codexEnded(reason: Self.gone) }
      return chat
    }
    chats[id] = opening
    do {
      return try await opening.value
    } catch {
      chats[id] = nil
      throw error
    }
  }

  private static let gone = "The turn ended while the companion was away."
  private static let idBytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)

  /// The chats that are in use.
  var opened: [Chat] {
    get async {
      var opened: [Chat] = []
      for task in chats.values { if let chat = try? await task.value { opened.append(chat) } }
      return opened
    }
  }

  /// All questions that wait, oldest first.
  var openApprovals: [ApprovalRequest] {
    get async {
      var open: [ApprovalRequest] = []
      for chat in await opened { open += await chat.openApprovals }
      return open.sorted { $0.createdAt < $1.createdAt }
    }
  }

  /// The chat that asks this. Throws ``ChatError``.
  func chat(asking approvalID: String) async throws -> Chat {
    for chat in await opened where await chat.hasApproval(approvalID) { return chat }
    throw ChatError(.unknownApproval, "Approval request not found")
  }

  /// New settings for the next turn of every chat that is in use.
  func settingsChanged(_ settings: (String) async -> JSONObject) async {
    for chat in await opened { await chat.settingsChanged(await settings(chat.id)) }
  }

  /// Waits until all events are stored.
  func drain() async {
    for chat in await opened { await chat.drain() }
  }

  // MARK: codex

  /// Takes one report after the other, in order.
  func receive(_ report: CodexReport) async {
    switch report {
    case .notification(let method, let params):
      guard let id = Self.threadID(params) else { return }
      await withChat(id) { await $0.receive(method, params) }
    case .request(let id, let method, let params): await receive(id, method, params)
    case .connected(let isSameProcess): await connected(isSameProcess: isSameProcess)
    case .disconnected:
      loaded = nil
      for chat in await opened { await chat.codexDisconnected() }
    case .ended(let reason):
      loaded = nil
      for chat in await opened { await chat.codexEnded(reason: reason) }
    }
  }

  private func receive(_ id: JSONValue, _ method: String, _ params: JSONObject) async {
    if let question = CodexQuestion(requestID: id, method, params) {
      return await withChat(
        question.threadID, or: { await self.services.link.refuse(id, "No chat can be shown this.") }
      ) {
        await $0.receive(question)
      }
    }
    // Every request gets an answer, or its turn hangs.
    switch method {
    case "currentTime/read":
      await services.link.answer(id, ["currentTimeAt": .number(Double(services.now().seconds))])
    case "item/tool/call":
      await services.link.answer(
        id,
        ["contentItems": [["type": "inputText", "text": "There is no such tool here."]], "success": false])
    case "applyPatchApproval", "execCommandApproval": await services.link.answer(id, ["decision": "denied"])
    default: await services.link.refuse(id, "The companion does not know \(method).")
    }
  }

  /// Joins what codex's process has loaded, and ends what it has not.
  private func connected(isSameProcess: Bool) async {
    if !isSameProcess {
      for chat in await opened { await chat.codexEnded(reason: "Codex was started anew.") }
    }
    // Not here: what is asked is answered behind the reports that wait for this to return.
    Task { await joinLoaded() }
  }

  private func joinLoaded() async {
    let names: [String]
    do {
      let answer = try await services.link.call("thread/loaded/list", [:])
      names = answer["data"]?.arrayValue?.compactMap(\.stringValue) ?? []
    } catch {
      return services.logger.warning("codex does not say which chats it has loaded: \(error)")
    }
    loaded = Set(names)
    for chat in await opened where !names.contains(chat.id) { await chat.codexEnded(reason: Self.gone) }
    for id in names {
      await withChat(id) { chat in
        // Before codex asks again what waits.
        await chat.set(isHidden: self.isHidden(chat.id))
        // One that has no turn yet can be joined by its first message.
        do { try await chat.join() } catch { self.services.logger.debug("chat \(id) is not joined: \(error)") }
      }
    }
  }

  private func withChat(
    _ id: String, or otherwise: () async -> Void = {}, _ body: (Chat) async -> Void
  ) async {
    do {
      await body(try await chat(id))
    } catch {
      services.logger.error("codex's word on chat \(ShownText.line(id, limit: 64)) is lost: \(error)")
      await otherwise()
    }
  }

  private static func threadID(_ params: JSONObject) -> String? {
    params["threadId"]?.stringValue ?? params["thread"]?.objectValue?["id"]?.stringValue
  }
}
