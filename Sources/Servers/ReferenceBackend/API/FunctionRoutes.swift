import EventLedger
import Foundation
import Hummingbird
import JSONService
import ResolveKitCore

/// The app's tools: registering and listing them.
struct FunctionRoutes: Sendable {
  let services: BackendServices

  func replace(_ request: Request, _ context: BackendContext) async throws -> Response {
    let body = try await JSONBody.read(request, Admission(services: services).checkKey)
    let drafts = try FunctionInput.read(body, now: services.now())
    let functions = try await services.functions.replaceAll(with: drafts)
    return .json(.array(functions.map(json)))
  }

  func active(_ request: Request, _ context: BackendContext) async throws -> Response {
    try Admission(services: services).checkKey(request)
    return .json(.array(try await services.functions.active().map(json)))
  }

  func eligible(_ request: Request, _ context: BackendContext) async throws -> Response {
    try Admission(services: services).checkKey(request)
    guard let text = request.uri.queryParameters["session_id"] else {
      throw APIError.invalid(
        ValidationIssue(type: "missing", location: ["query", "session_id"], message: "Field required"))
    }
    guard let id = UUID(uuidString: String(text)) else {
      throw APIError.invalid(
        ValidationIssue(
          type: "uuid_parsing", location: ["query", "session_id"], message: "Input should be a valid UUID",
          input: .string(String(text))))
    }
    guard let session = try await services.sessions.session(id.uuidString.lowercased()) else {
      throw APIError.sessionNotFound
    }
    let functions = try await services.functions.active().filter { $0.isEligible(in: session) }
    return .json(.array(functions.map(json)))
  }

  private func json(_ function: FunctionRecord) -> JSONValue {
    [
      "id": .string(function.id), "app_id": .string(services.appID), "name": .string(function.name),
      "description": .string(function.description), "description_override": .null,
      "parameters_schema": .object(function.parametersSchema), "is_active": .bool(function.isActive),
      "timeout_seconds": .number(Double(function.timeoutSeconds)), "availability": .object(function.availability),
      "source": .string(function.source), "pack_name": function.packName.map { .string($0) } ?? .null,
      "requires_approval": .bool(function.requiresApproval), "created_at": .string(function.created.zulu),
    ]
  }
}
