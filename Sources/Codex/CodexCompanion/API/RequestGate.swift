import HTTPTypes
import Hummingbird
import HummingbirdHTTP3

/// The check on every request: a name and an origin of ours, and a device's token or a browser's session.
struct RequestGate: Sendable {
  let access: AccessRules
  let devices: DeviceRegistry
  let place: ServerPlace

  typealias DeviceHandler = @Sendable (Request, CompanionContext, Device) async throws -> Response
  typealias AdmissionHandler = @Sendable (Request, CompanionContext, DeviceAdmission) async throws -> Response

  /// A handler for paired devices alone.
  func paired(_ handler: @escaping DeviceHandler) -> RouteTable<CompanionContext>.Handler {
    admitted { request, context, admission in try await handler(request, context, admission.device) }
  }

  /// A handler for paired devices alone that outlives the moment in which the token was looked at.
  func admitted(_ handler: @escaping AdmissionHandler) -> RouteTable<CompanionContext>.Handler {
    { request, context in
      try access.check(request.head)
      return try await handler(request, context, try admission(request))
    }
  }

  /// A handler for everybody who can reach the companion.
  func open(_ handler: @escaping RouteTable<CompanionContext>.Handler) -> RouteTable<CompanionContext>.Handler {
    { request, context in
      try access.check(request.head)
      return try await handler(request, context)
    }
  }

  /// A handler for what holds no secret and changes nothing.
  func withoutToken(_ handler: @escaping @Sendable (Request) -> Response) -> RouteTable<CompanionContext>.Handler {
    { request, _ in
      try access.checkHost(request.head)
      return handler(request)
    }
  }

  /// The device whose token the request shows, else whose session it has. Throws ``CompanionError``.
  func admission(_ request: Request) throws(CompanionError) -> DeviceAdmission {
    guard request.headers[.authorization] == nil,
      let cookie = SessionCookie(field: request.headers[.cookie], port: place.port)
    else { return try admission(authorization: request.headers[.authorization]) }
    try access.checkSession(request.head)
    return try admission(authorization: "Bearer \(cookie.access)")
  }

  /// The device of an `Authorization` field. Throws ``CompanionError``.
  func admission(authorization: String?) throws(CompanionError) -> DeviceAdmission {
    do {
      return try devices.admit(authorization)
    } catch {
      guard error.isUnauthorized else { throw CompanionError(.internalServerError, error.message) }
      throw CompanionError(.unauthorized, error.message, headers: [.wwwAuthenticate: "Bearer"])
    }
  }
}
