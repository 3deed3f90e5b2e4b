import CodexAppServer
import CodexWorkersClient
import ResolveKitCore

/// Performs requests that came through the runtime, by the companion's own rules: hidden projects and workspaces that are
/// not mirrored do not exist for them, settings are the workstation's, and commands are approved as ever.
struct MirrorDesk: Sendable {
  let link: any CodexLink
  let hub: ChatHub
  let directory: ChatDirectory
  let settings: TurnSettings
  let policy: MirrorPolicyFile
  let account: String

  /// The answer. Throws ``MirrorRefusal`` or what it can be made of.
  func perform(_ request: MirrorRequest) async throws -> JSONValue {
    switch request.method {
    case .threadList: return ["data": .array(try await entries().map(Self.thread)), "nextCursor": nil]
    case .threadRead: return try await read(request)
    case .threadStart: return try await start(request)
    case .threadResume:
      let id = try await thread(of: request)
      let status = try await hub.chat(id).activate()
      return ["thread": ["id": .string(id)], "status": .string(status)]
    case .turnStart: return try await send(request)
    case .turnInterrupt: return try await interrupt(request)
    case nil:
      throw MirrorRefusal(
        .unsupportedMethod,
        "The companion performs \(WorkerControlRequest.methods.joined(separator: ", ")), and nothing else.")
    }
  }

  private func entries() async throws -> [ChatDirectory.Entry] {
    let policy = try policy.read()
    return try await directory.entries().filter { policy.start(of: $0.folder, for: account) != nil }
  }

  private func checkPolicy(_ folder: String) throws {
    guard try policy.read().start(of: folder, for: account) != nil else {
      throw MirrorRefusal(
        .forbidden, "This workspace is not mirrored; at the workstation 'companion mirror on' switches it on.")
    }
  }

  /// The thread that is meant: the one that is named, else the only one there is.
  private func thread(of request: MirrorRequest) async throws -> String {
    if let id = request.threadID {
      try checkPolicy(try await directory.folder(of: id))
      return id
    }
    let entries = try await entries()
    guard let only = entries.first else { throw MirrorRefusal(.workerUnavailable, "There is no thread; start one.") }
    guard entries.count == 1 else {
      throw MirrorRefusal(.conflict, "There are \(entries.count) threads; name one by threadId.")
    }
    return only.id
  }

  private func read(_ request: MirrorRequest) async throws -> JSONValue {
    let id = try await thread(of: request)
    let params: JSONObject = [
      "threadId": .string(id), "includeTurns": .bool(request.params["includeTurns"]?.boolValue ?? false),
    ]
    return .object(PayloadFit.fit(try await link.call("thread/read", params), toBytes: MirrorEvent.parameterLimit))
  }

  private func start(_ request: MirrorRequest) async throws -> JSONValue {
    try Self.checkNames(request.params, ["cwd", "model"])
    guard let folder = request.params["cwd"]?.stringValue, folder.utf8.count <= 4_096 else {
      throw MirrorRefusal(.invalidRequest, "thread/start names a folder by cwd.")
    }
    guard let model = request.params["model"].map({ $0.stringValue }) ?? .some(nil), (model?.utf8.count ?? 0) <= 256
    else { throw MirrorRefusal(.invalidRequest, "model is a text.") }
    try checkPolicy(folder)
    let settings = try await settings.ofTurns(in: folder)
    let entry = try await directory.begin(in: folder, model: model)
    await (try hub.chat(entry.id)).startedHere(with: settings)
    return ["thread": Self.thread(entry)]
  }

  private func send(_ request: MirrorRequest) async throws -> JSONValue {
    // A change to the chat's sandbox or its questions is the workstation's to make.
    try Self.checkNames(request.params, ["threadId", "input"])
    let id = try await thread(of: request)
    let message = try Self.message(request)
    let receipt = try await hub.chat(id).send(message)
    return [
      "turn": ["id": .string(receipt.turnID), "status": "inProgress"], "mode": .string(receipt.mode.rawValue),
    ]
  }

  private func interrupt(_ request: MirrorRequest) async throws -> JSONValue {
    let chat = try await hub.chat(try await thread(of: request))
    if let meant = request.params["turnId"]?.stringValue, let running = await chat.activeTurnID, running != meant {
      throw MirrorRefusal(
        .conflict, "Another turn is running by now.",
        details: ["current_thread_id": .string(chat.id), "current_turn_id": .string(running)])
    }
    let turnID = try await chat.stop()
    return ["interrupted": .bool(turnID != nil)]
  }

  /// codex's input as a message of the companion's: texts, and pictures that are in it. Files and skills of this machine
  /// are not for a caller elsewhere to name.
  private static func message(_ request: MirrorRequest) throws -> MessageInput {
    var texts: [String] = []
    var pictures: [JSONValue] = []
    for item in request.params["input"]?.arrayValue ?? [] {
      let members = item.objectValue ?? [:]
      switch members["type"]?.stringValue {
      case "text": texts.append(members["text"]?.stringValue ?? "")
      case "image": pictures.append(["type": "image", "dataUrl": members["url"] ?? ""])
      default: throw MirrorRefusal(.invalidRequest, "The input's items are of type text, or image with a data URL.")
      }
    }
    return try MessageInput(
      JSONInput([
        "text": .string(texts.joined(separator: "\n")), "attachments": .array(pictures),
        "request_id": .string(request.id),
      ]))
  }

  private static func checkNames(_ params: JSONObject, _ allowed: Set<String>) throws {
    guard let other = params.keys.filter({ !allowed.contains($0) }).min() else { return }
    throw MirrorRefusal(
      .invalidRequest, "Through the runtime, '\(other.prefix(60))' cannot be set; it is the workstation's to decide.")
  }

  private static func thread(_ entry: ChatDirectory.Entry) -> JSONValue {
    [
      "id": .string(entry.id), "cwd": .string(entry.folder), "name": .string(entry.title),
      "preview": .string(String(entry.preview.prefix(500))), "updatedAt": .number(Double(entry.updatedAt)),
    ]
  }
}
