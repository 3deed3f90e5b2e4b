import CodexAppServer
import CodexRemoteContract
import ResolveKitCore

/// The companion's threads for requests that come through a runtime, by the companion's own rules: hidden projects and
/// workspaces that are not mirrored do not exist for them, settings are the workstation's, and commands are approved as
/// ever.
struct MirrorThreads: CodexLane {
  let link: any CodexLink
  let hub: ChatHub
  let directory: ChatDirectory
  let settings: TurnSettings
  let policy: MirrorPolicyFile
  let account: String

  func folders() async throws -> [String] { try policy.read().folders(for: account) }

  func threads() async throws -> [LaneThread] {
    let policy = try policy.read()
    return try await directory.entries().filter { policy.start(of: $0.folder, for: account) != nil }
      .map(LaneThread.init)
  }

  func check(_ thread: String) async throws {
    let folder = try await directory.folder(of: thread)
    guard try policy.read().start(of: folder, for: account) != nil else {
      throw LaneRefusal(
        .forbidden, "This workspace is not mirrored; at the workstation 'companion mirror on' switches it on.")
    }
  }

  func begin(in folder: String, model: String?) async throws -> LaneThread {
    let settings = try await settings.ofTurns(in: folder)
    try await hub.checkRoom()
    let entry = try await directory.begin(in: folder, model: model)
    await (try hub.chat(entry.id)).startedHere(with: settings)
    return LaneThread(entry)
  }

  func load(_ thread: String) async throws -> String { try await hub.chat(thread).activate() }

  func send(
    _ input: [JSONValue], with settings: LaneTurnSettings, to thread: String, id: String
  ) async throws -> LaneTurn {
    let receipt = try await hub.chat(thread).send(
      MessageInput(items: input, requestID: id, settings: settings.params))
    switch receipt.mode {
    case .started: return LaneTurn(id: receipt.turnID, mode: .started)
    case .steered: return LaneTurn(id: receipt.turnID, mode: .steered)
    }
  }

  func runningTurn(of thread: String) async throws -> String? { try await hub.chat(thread).activeTurnID }

  func interrupt(_ thread: String) async throws -> Bool { try await hub.chat(thread).stop() != nil }

  func read(_ thread: String, hasTurns: Bool) async throws -> JSONObject {
    let params: JSONObject = ["threadId": .string(thread), "includeTurns": .bool(hasTurns)]
    return PayloadFit.fit(try await link.call("thread/read", params), toBytes: LaneEvent.parameterLimit)
  }
}

extension LaneThread {
  fileprivate init(_ entry: ChatDirectory.Entry) {
    self.init(
      id: entry.id, folder: entry.folder, name: entry.title, preview: entry.preview, updatedAt: entry.updatedAt)
  }
}
