import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// Chats: lists, new ones, messages to them, and what runs in them.
struct ChatRoutes: Sendable {
  let services: CompanionServices

  func list(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let projectID = request.uri.queryParameters["projectId"].map(String.init)
    let entries = try await services.directory.entries()
    return .data(.array(entries.filter { projectID == nil || Project.id(of: $0.folder) == projectID }.map(\.json)))
  }

  func create(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let input = try await JSONInput.read(request)
    let model = try input.string("model", limit: 256)
    let folder = try await folder(try input.string("cwd"))
    let settings = try await services.settings.ofTurns(in: folder)
    try await services.hub.checkRoom()
    let entry = try await services.directory.begin(in: folder, model: model)
    await (try services.hub.chat(entry.id)).startedHere(with: settings)
    return .data(entry.json, status: .created)
  }

  /// The folder that is asked for, or that of the project that was used last.
  private func folder(_ named: String?) async throws -> String {
    if let named { return named }
    guard let latest = try await services.directory.projects().first else {
      throw CompanionError(.badRequest, "There is no project yet: name a folder by cwd.")
    }
    return latest.folder
  }

  func activate(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let chat = try await chat(context, device)
    return .data(["chatId": .string(chat.id), "status": .string(try await chat.activate())])
  }

  func runState(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let chat = try await chat(context, device)
    let turnID = await chat.activeTurnID
    var state: JSONObject = ["chatId": .string(chat.id), "isRunning": .bool(await chat.isRunning)]
    state["activeTurnId"] = turnID.map { .string($0) }
    return .data(.object(state))
  }

  func model(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let chat = try await chat(context, device)
    let model = try await services.settings.model(ofChat: chat.id)
    return .data(.object(model.merging(["chatId": .string(chat.id)]) { own, _ in own }))
  }

  func pendingApproval(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data(await (try chat(context, device)).openApprovals.last.map { .object($0.json) } ?? .null)
  }

  /// All that wait; the contract's route has the latest alone.
  func pendingApprovals(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data(.array(await (try chat(context, device)).openApprovals.map { .object($0.json) }))
  }

  func send(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let (chat, receipt) = try await deliver(request, context, device)
    return .data(
      ["chatId": .string(chat.id), "turnId": .string(receipt.turnID), "mode": .string(receipt.mode.rawValue)],
      status: .accepted)
  }

  /// A steer of a turn that has ended begins one, so both routes do the same.
  func steer(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    try await send(request, context, device)
  }

  private func deliver(
    _ request: Request, _ context: CompanionContext, _ device: Device
  ) async throws -> (Chat, Chat.Receipt) {
    let chat = try await chat(context, device)
    guard let room = services.bodies.take() else { throw CompanionError.tooManyBodies }
    defer { room.leave() }
    let message = try MessageInput(
      try await JSONInput.read(request, limit: MessageInput.bodyLimit, within: MessageInput.bodyTime))
    return (chat, try await chat.send(message))
  }

  func stop(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let chat = try await chat(context, device)
    let turnID = try await chat.stop()
    var answer: JSONObject = ["chatId": .string(chat.id), "interrupted": .bool(turnID != nil)]
    answer["turnId"] = turnID.map { .string($0) }
    return .data(.object(answer))
  }

  func decide(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let id = try context.parameters.require("id")
    let input = try await JSONInput.read(request)
    let word = try input.requiredString("decision")
    guard let decision = ApprovalAnswer(rawValue: word) else {
      throw CompanionError(.badRequest, "A decision is approve, decline, cancel, allow_for_session or allow_always.")
    }
    let chat = try await services.hub.chat(asking: id)
    _ = try await services.directory.folder(of: chat.id)
    do {
      try await chat.decide(id, decision, content: input["content"]?.objectValue, by: device)
    } catch let error as ApprovalError {
      throw CompanionError(error.status, error.message)
    }
    return .json(["ok": true])
  }

  private func chat(_ context: CompanionContext, _ device: Device) async throws -> Chat {
    let id = try context.parameters.require("id")
    _ = try await services.directory.folder(of: id, for: device)
    return try await services.hub.chat(id)
  }
}

extension ApprovalError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .onceOnly: .badRequest
    case .denied: .conflict
    case .full, .storage, .audit: .serviceUnavailable
    }
  }
}
