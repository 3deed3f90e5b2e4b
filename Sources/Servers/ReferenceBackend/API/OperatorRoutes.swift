import Foundation
import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// The operators' actions in a session, behind a key of their own. Their events belong to no turn, so they
/// have ids that no client knows.
struct OperatorRoutes: Sendable {
  let services: BackendServices

  private static let textLimit = 32_768
  private static let reasonLimit = 1_000

  func say(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (session, text) = try await admit(request, context, text: "text", limit: Self.textLimit, isRequired: true)
    let id = try await services.sessions.addHumanMessage(text ?? "", to: session.id, now: services.now())
    try await publish(.humanMessage(id: id, text: text ?? ""), in: session)
    return .json(["message_id": .string(id)], status: .created)
  }

  func askForFeedback(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (session, _) = try await admit(request, context, text: nil, limit: 0, isRequired: false)
    try await publish(.feedbackRequested(immediate: true), in: session)
    return .json(["status": "ok"])
  }

  /// A running turn ends with the event; where none runs, the event stands alone.
  func escalate(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (session, text) = try await admit(
      request, context, text: "reason", limit: Self.reasonLimit, isRequired: false)
    let reason = text ?? "A person takes over."
    // A task of its own, as one who leaves must not leave it half done.
    try await Task {
      if try await !services.turns.escalate(session.id, reason: reason) {
        try await publish(.sessionEscalated(reason: reason), in: session)
      }
    }.value
    return .json(["status": "ok"])
  }

  private func admit(
    _ request: Request, _ context: BackendContext, text name: String?, limit: Int, isRequired: Bool
  ) async throws -> (StoredSession, String?) {
    let admission = Admission(services: services)
    let body = try await JSONBody.read(request) { try admission.checkOwnKey($0, services.operatorKeys) }
    var reader = ObjectReader(try isRequired ? body.object() : body.objectOrEmpty())
    let id = Admission.identifier("session_id", context)
    if case .failure(let failure) = id { reader.add([failure.issue]) }
    let text = name.flatMap { reader.string($0, length: 1...max(1, limit), isRequired: isRequired, null: .absent) }
    reader.forbidOthers()
    try reader.check()
    guard case .success(let id) = id, let session = try await services.sessions.session(id) else {
      throw APIError.sessionNotFound
    }
    return (session, text)
  }

  private func publish(_ payload: EventPayload, in session: StoredSession) async throws {
    try await services.publisher.publish(payload, in: session.id)
  }
}
