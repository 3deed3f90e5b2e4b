import Foundation
import HTTPTypes
import Hummingbird
import ResolveKitCore

/// The checks that come before a route's own work, in the contract's order: 401, 422, 403, 404.
struct Admission: Sendable {
  let services: BackendServices

  private static let capabilityFields = [
    "x-resolvekit-chat-capability", "x-playbook-chat-capability", "x-chat-capability-token",
  ].compactMap { HTTPField.Name($0) }

  /// The scheme's name is compared as it is written, as the contract's server does.
  func checkKey(_ request: Request) throws(APIError) {
    guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else {
      throw APIError.missingAuthorization
    }
    let token = field.dropFirst("Bearer ".count)
    guard services.keys.accept(token) || services.clientTokens.accept(token, now: services.now()) else {
      throw APIError.invalidToken
    }
  }

  /// For what a client token is no right to.
  func checkOwnKey(_ request: Request, _ keys: APIKeys) throws(APIError) {
    guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else {
      throw APIError.missingAuthorization
    }
    guard keys.accept(field.dropFirst("Bearer ".count)) else { throw APIError.invalidKey }
  }

  /// The canonical form of a UUID in the path, or what is wrong with it.
  static func identifier(_ name: String, _ context: BackendContext) -> Result<String, ValidationFailure> {
    let text = context.parameters.get(name).map { String($0) } ?? ""
    guard let id = UUID(uuidString: text) else {
      return .failure(
        ValidationFailure(
          issue: ValidationIssue(
            type: "uuid_parsing", location: ["path", .string(name)], message: "Input should be a valid UUID",
            input: .string(text))))
    }
    return .success(id.uuidString.lowercased())
  }

  /// Session id of the path, for routes whose only other input is checked elsewhere.
  static func sessionID(_ context: BackendContext) throws(APIError) -> String {
    switch identifier("session_id", context) {
    case .success(let id): return id
    case .failure(let failure): throw APIError.invalid(failure.issue)
    }
  }

  /// The session, to a client that holds the right to it.
  func session(_ id: String, _ request: Request) async throws -> StoredSession {
    let token = Self.capabilityFields.lazy.compactMap { request.headers[$0] }.first
    guard let token, services.tokens.accept(token, for: id, now: services.now()) else {
      throw APIError.chatUnavailable
    }
    guard let session = try await services.sessions.session(id) else { throw APIError.sessionNotFound }
    return session
  }

  /// Whether a turn may begin.
  func checkActive(_ session: StoredSession) throws(APIError) {
    try checkNotExpired(session)
    guard session.status == StoredSession.active else { throw APIError.sessionExpired }
  }

  /// Whether events may be read.
  func checkReadable(_ session: StoredSession) throws(APIError) {
    switch services.settings.compatibility {
    case .strict: try checkNotExpired(session)
    case .compatible: try checkActive(session)
    }
  }

  private func checkNotExpired(_ session: StoredSession) throws(APIError) {
    if session.isExpired(at: services.now(), lifetime: services.settings.sessionLifetime) {
      throw APIError.sessionExpired
    }
  }
}

/// An issue on its way to be collected.
struct ValidationFailure: Error {
  let issue: ValidationIssue
}
