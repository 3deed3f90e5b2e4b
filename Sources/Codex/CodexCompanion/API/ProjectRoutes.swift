import HTTPTypes
import Hummingbird
import ResolveKitCore

/// Projects: their list, their git, and codex's settings.
struct ProjectRoutes: Sendable {
  let services: CompanionServices

  func list(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data(.array(try await services.directory.projects().map(\.json)))
  }

  func context(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let project = try await project(context)
    var members: JSONObject = [
      "projectId": .string(project.id), "cwd": .string(project.folder), "runtimeMode": "local",
      "git": try await repository(project).context().json,
    ]
    members.merge(try await settings(of: project)) { own, _ in own }
    return .data(.object(members))
  }

  /// The settings that codex's turns in a project have, and whether codex trusts its folder.
  private func settings(of project: Project) async throws -> JSONObject {
    let config = try await services.settings.current(in: project.folder)
    var members = config.json.objectValue ?? [:]
    members["trustLevel"] = config.trustLevel(of: project.folder).map { .string($0) } ?? .null
    return members
  }

  func branches(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data(.array(try await repository(project(context)).branches().map(\.json)))
  }

  func diff(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let path = request.uri.queryParameters["path"].map(String.init)
    return .data(try await repository(project(context)).diff(path: path).json)
  }

  func checkOut(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let branch = try await JSONInput.read(request).requiredString("branch")
    return .data(try await repository(project(context)).checkOut(branch).json)
  }

  func commit(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let message = try await JSONInput.read(request).requiredString("message", limit: 32 << 10)
    return .data(try await repository(project(context)).commit(message).json)
  }

  /// Changes codex's configuration; the chats that are loaded get it with their next turn.
  func changeSettings(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let change = try RuntimeConfigChange(body: try await JSONInput.read(request).json)
    let config = try await services.settings.change(change)
    await services.hub.settingsChanged { [settings = services.settings, directory = services.directory] chatID in
      guard let folder = try? await directory.folder(of: chatID) else { return [:] }
      return (try? await settings.ofTurns(in: folder)) ?? [:]
    }
    return .data(config.json)
  }

  private func project(_ context: CompanionContext) async throws -> Project {
    try await services.directory.project(try context.parameters.require("id"))
  }

  private func repository(_ project: Project) -> GitRepository {
    GitRepository(project.folder, program: services.git)
  }
}
