import HTTPTypes
import Hummingbird
import HummingbirdHTTP3

/// What every request has to show: a name and an origin of ours, and a device's token.
struct Gate: Sendable {
  let access: AccessRules
  let devices: DeviceRegistry

  typealias DeviceHandler = @Sendable (Request, CompanionContext, Device) async throws -> Response

  /// A handler for paired devices alone.
  func paired(_ handler: @escaping DeviceHandler) -> RouteTable<CompanionContext>.Handler {
    { request, context in
      try access.check(request.head)
      return try await handler(request, context, try device(request))
    }
  }

  /// A handler for everybody who can reach the companion.
  func open(_ handler: @escaping RouteTable<CompanionContext>.Handler) -> RouteTable<CompanionContext>.Handler {
    { request, context in
      try access.check(request.head)
      return try await handler(request, context)
    }
  }

  /// The device whose token the request shows. Throws ``CompanionError``.
  func device(_ request: Request) throws(CompanionError) -> Device {
    try device(authorization: request.headers[.authorization])
  }

  /// The device of an `Authorization` field. Throws ``CompanionError``.
  func device(authorization: String?) throws(CompanionError) -> Device {
    do {
      return try devices.authenticate(authorization)
    } catch {
      guard error.isUnauthorized else { throw CompanionError(.internalServerError, error.message) }
      throw CompanionError(.unauthorized, error.message, headers: [.wwwAuthenticate: "Bearer"])
    }
  }
}
