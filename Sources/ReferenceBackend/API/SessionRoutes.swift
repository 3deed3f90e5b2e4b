import Hummingbird
import ResolveKitCore

/// Opening a session and changing its context.
struct SessionRoutes: Sendable {
  let services: BackendServices

  static let title = "Support Chat"
  static let placeholder = "Message"
  static let greeting = "Hello! How can I help you today?"

  func open(_ request: Request, _ context: BackendContext) async throws -> Response {
    let body = try await JSONBody.read(request)
    try Admission(services: services).checkKey(request)
    let draft = try SessionInput.opening(body)
    let now = services.now()
    let (session, isReused) = try await services.sessions.open(
      draft, greeting: Self.greeting, lifetime: services.settings.sessionLifetime, now: now)
    var json = contextJSON(session)
    json["device_id"] = session.deviceID.map { .string($0) } ?? .null
    json["chat_title"] = .string(Self.title)
    json["message_placeholder"] = .string(Self.placeholder)
    json["initial_message"] = .string(Self.greeting)
    json["status"] = .string(session.status)
    json["created_at"] = .string(session.created.zulu)
    json["events_url"] = .string("/v1/sessions/\(session.id)/events")
    json["chat_capability_token"] = .string(services.tokens.token(for: session.id, now: now))
    json["reused_active_session"] = .bool(isReused)
    return .json(.object(json), status: .created)
  }

  func changeContext(_ request: Request, _ context: BackendContext) async throws -> Response {
    let body = try await JSONBody.read(request)
    let admission = Admission(services: services)
    try admission.checkKey(request)
    let (id, draft) = try SessionInput.change(body, Admission.identifier("session_id", context))
    _ = try await admission.session(id, request)
    guard let session = try await services.sessions.changeContext(id, to: draft, now: services.now()) else {
      throw APIError.sessionNotFound
    }
    return .json(.object(contextJSON(session)))
  }

  private func contextJSON(_ session: SessionRecord) -> JSONObject {
    [
      "id": .string(session.id), "app_id": .string(services.appID),
      "client_context": .object(session.client ?? [:]), "llm_context": .object(session.llmContext),
      "available_function_names": .array(session.functionNames.map { .string($0) }),
      "locale": .string(session.locale), "last_activity_at": .string(session.lastActivity.zulu),
    ]
  }
}
