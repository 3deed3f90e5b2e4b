import Hummingbird
import JSONService
import ResolveKitCore

/// Messages, the turns they begin, and the results of the tools that turns ask for.
struct MessageRoutes: Sendable {
  let services: BackendServices

  func history(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    try admission.checkKey(request)
    let session = try await admission.session(try Admission.sessionID(context), request)
    return try await HistoryResponse(sessionID: session.id, sessions: services.sessions).response()
  }

  func begin(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    let body = try await JSONBody.read(request, admission.checkKey)
    let input = try TurnBodies.message(body, Admission.identifier("session_id", context))
    var session = try await admission.session(input.sessionID, request)
    try admission.checkActive(session)
    if let locale = input.locale {
      session.locale = locale
      try await services.sessions.setLocale(locale, of: session.id)
    }
    let turnID: String
    switch try await services.turns.begin(session, text: input.text, requestID: input.requestID) {
    case .began(let id), .repeated(let id): turnID = id
    case .busy: throw APIError.turnInProgress
    case .full: throw APIError.tooManyTurns
    case .inactive: throw APIError.sessionExpired
    }
    return .json(
      ["turn_id": .string(turnID), "request_id": .string(input.requestID), "status": "accepted"], status: .accepted)
  }

  func takeResult(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    let body = try await JSONBody.read(request, admission.checkKey)
    let input = try TurnBodies.result(body, Admission.identifier("session_id", context))
    _ = try await admission.session(input.call.sessionID, request)
    let delivery = try await services.turns.deliver(
      input.outcome, for: input.call, idempotencyKey: input.idempotencyKey)
    // A result that comes too late gets the same 404 however often it is sent.
    guard delivery != .notPending else { throw APIError.noPendingCall }
    return .json(["status": "ok", "deduplicated": .bool(delivery == .duplicate)])
  }

  /// An extension of the contract: stops a turn. It ends with an `error` event, code `cancelled`. 202 while it is being
  /// stopped, 200 with its status where it was over; so it may be sent again.
  func cancel(_ request: Request, _ context: BackendContext) async throws -> Response {
    let admission = Admission(services: services)
    try admission.checkKey(request)
    let ids = (Admission.identifier("session_id", context), Admission.identifier("turn_id", context))
    guard case (.success(let sessionID), .success(let turnID)) = ids else {
      let issues = [ids.0, ids.1].compactMap { id in if case .failure(let failure) = id { failure.issue } else { nil } }
      throw APIError.invalid(issues)
    }
    let session = try await admission.session(sessionID, request)
    guard let turn = try await services.turnStore.turn(turnID), turn.sessionID == session.id else {
      throw APIError.turnNotFound
    }
    if try await services.turns.cancel(turnID) {
      return .json(["turn_id": .string(turnID), "status": "cancelling"], status: .accepted)
    }
    return .json(["turn_id": .string(turnID), "status": .string(turn.status.rawValue)])
  }
}
