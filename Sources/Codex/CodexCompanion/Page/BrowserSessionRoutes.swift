import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// A browser's session: begun by a pairing, renewed, ended. Its tokens are in a cookie that scripts cannot read, and in no
/// body.
struct BrowserSessionRoutes: Sendable {
  /// The time that the page waits for the yes at the workstation; longer than clients of the public protocol do.
  private static let patience = Duration.seconds(90)

  let services: CompanionServices

  /// Pairs the browser that shows the nonce of a pairing.
  func begin(_ request: Request, _ context: CompanionContext) async throws -> Response {
    try services.access.checkSession(request.head)
    let input = try await JSONInput.read(request)
    let confirmation = PairingConfirmation(
      pairingID: try input.requiredString("pairingId"), nonce: try input.requiredString("nonce"),
      deviceName: try input.requiredString("deviceName"))
    let grant = try await PairingFailure.mapped {
      try await services.pairings.confirm(
        confirmation, from: context.sourceAddress, kind: .renewable, patience: Self.patience)
    }
    return session(grant, status: .created)
  }

  /// The owner of a session, and whether recorded sound is written down here.
  func show(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    .data([
      "deviceId": .string(device.id), "name": .string(device.name), "transcribes": .bool(services.transcriber != nil),
    ])
  }

  func renew(_ request: Request, _ context: CompanionContext) async throws -> Response {
    try services.access.checkSession(request.head)
    guard let cookie = SessionCookie(field: request.headers[.cookie], port: services.place.port) else {
      throw CompanionError(.unauthorized, "This browser has no session; pair it.")
    }
    do {
      return session(try services.revocation.renew(cookie.renewal), status: .ok)
    } catch {
      guard error.isUnauthorized else { throw CompanionError(.internalServerError, error.message) }
      throw CompanionError(.unauthorized, error.message, headers: forgetting)
    }
  }

  /// Shuts this browser out, as `companion devices revoke` does.
  func end(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let isRevoked = try services.revocation.revoke(device.id, by: device)
    return .json(["revoked": .bool(isRevoked)], headers: forgetting)
  }

  private var forgetting: HTTPFields { [.setCookie: SessionCookie.removal(port: services.place.port)] }

  private func session(_ grant: DeviceGrant, status: HTTPResponse.Status) -> Response {
    var members: JSONObject = ["deviceId": .string(grant.device.id), "name": .string(grant.device.name)]
    var fields: HTTPFields = [:]
    if let renewal = grant.renewal {
      members["expiresAt"] = .number(Double(renewal.expiresAt))
      fields[.setCookie] = SessionCookie(access: grant.token, renewal: renewal.token).field(port: services.place.port)
    }
    return .json(["data": .object(members)], status: status, headers: fields)
  }
}
