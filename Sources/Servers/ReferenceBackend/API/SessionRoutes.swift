import EventLedger
import Hummingbird
import JSONService
import ResolveKitCore

/// Opening a session and changing its context.
struct SessionRoutes: Sendable {
  let services: BackendServices

  func open(_ request: Request, _ context: BackendContext) async throws -> Response {
    let body = try await JSONBody.read(request, Admission(services: services).checkKey)
    let draft = try SessionInput.opening(body)
    let now = services.now()
    let (session, isReused) = try await services.sessions.open(
      draft, lifetime: services.settings.sessionLifetime, now: now)
    let words = ChatWords.of(session.locale)
    var json = contextJSON(session)
    json["device_id"] = session.deviceID.map { .string($0) } ?? .null
    json["chat_title"] = .string(words.chatTitle)
    json["message_placeholder"] = .string(words.messagePlaceholder)
    json["initial_message"] = words.initialMessage.map { .string($0) } ?? .null
    json["status"] = .string(session.status)
    json["created_at"] = .string(session.created.zulu)
    json["events_url"] = .string("/v1/sessions/\(session.id)/events")
    json["chat_capability_token"] = .string(services.tokens.token(for: session.id, now: now))
    json["reused_active_session"] = .bool(isReused)
    return .json(.object(json), status: .created)
  }

  func changeContext(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    let body = try await JSONBody.read(request, admission.checkKey)
    let (id, draft) = try SessionInput.change(body, Admission.identifier("session_id", context))
    _ = try await admission.session(id, request)
    guard let session = try await services.sessions.changeContext(id, to: draft, now: services.now()) else {
      throw APIError.sessionNotFound
    }
    return .json(.object(contextJSON(session)))
  }

  /// The chat's words. A GET that changes something, as the contract has it: the session speaks that locale from now on.
  func localization(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    try admission.checkKey(request)
    let wish = request.uri.queryParameters["locale"].map(String.init)
    guard wish?.unicodeScalars.count ?? 0 <= 32 else {
      throw APIError.invalid(
        ValidationIssue(
          type: "string_too_long", location: ["query", "locale"], message: "String should have at most 32 characters"))
    }
    let session = try await admission.session(try Admission.sessionID(context), request)
    let locale = wish.map { ResolveKitLocaleResolver.resolve(locale: $0) } ?? session.locale
    if locale != session.locale { try await services.sessions.setLocale(locale, of: session.id) }
    let words = ChatWords.of(locale)
    return .json([
      "locale": .string(locale), "chat_title": .string(words.chatTitle),
      "message_placeholder": .string(words.messagePlaceholder),
      "initial_message": words.initialMessage.map { .string($0) } ?? .null,
    ])
  }

  private func contextJSON(_ session: StoredSession) -> JSONObject {
    [
      "id": .string(session.id), "app_id": .string(services.appID),
      "client_context": .object(session.client ?? [:]), "llm_context": .object(session.llmContext),
      "available_function_names": .array(session.functionNames.map { .string($0) }),
      "locale": .string(session.locale), "last_activity_at": .string(session.lastActivity.zulu),
    ]
  }
}
