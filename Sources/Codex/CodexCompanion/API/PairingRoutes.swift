import CodexRemoteContract
import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// Pairing, renewal and revocation of devices.
struct PairingRoutes: Sendable {
  let services: CompanionServices

  func request(_ request: Request, _ context: CompanionContext) async throws -> Response {
    let input = try await JSONInput.read(request)
    let ticket = try await PairingFailure.mapped { try await services.pairings.open(from: context.sourceAddress) }
    let isOwn = try input.string("client") == Self.ownClient
    let uri = services.place.text(ticket, for: isOwn ? .own : .publicProtocol)
    return .json([
      "pairingId": .string(ticket.pairingID), "nonce": .string(ticket.nonce),
      "expiresAt": .number(Double(ticket.expiresAt)), "scheme": "https",
      "pairingUri": .string(uri), "qrDataUrl": .string(try QRCode(uri).dataURL),
    ])
  }

  /// The name by which our own client asks for what the public ones do not know: renewable tokens, a pinned certificate.
  private static let ownClient = "agent-stream"

  func confirm(_ request: Request, _ context: CompanionContext) async throws -> Response {
    let input = try await JSONInput.read(request)
    let confirmation = PairingConfirmation(
      pairingID: try input.requiredString("pairingId"), nonce: try input.requiredString("nonce"),
      deviceName: try input.requiredString("deviceName"))
    let kind: DeviceGrant.Kind = try input.string("client") == Self.ownClient ? .renewable : .permanent
    let grant = try await PairingFailure.mapped {
      try await services.pairings.confirm(confirmation, from: context.sourceAddress, kind: kind)
    }
    return .json(json(grant))
  }

  func renew(_ request: Request, _ context: CompanionContext) async throws -> Response {
    let token = try await JSONInput.read(request).requiredString("renewalToken")
    do {
      return .json(json(try services.revocation.renew(token)))
    } catch {
      throw CompanionError(error.isUnauthorized ? .unauthorized : .internalServerError, error.message)
    }
  }

  func revoke(_ request: Request, _ context: CompanionContext, _ device: Device) async throws -> Response {
    let id = try await JSONInput.read(request).string("deviceId") ?? device.id
    return .json(["revoked": .bool(try services.revocation.revoke(id, by: device))])
  }

  private func json(_ grant: DeviceGrant) -> JSONValue {
    var members: JSONObject = [
      "deviceId": .string(grant.device.id), "token": .string(grant.token),
      "scheme": "https",
    ]
    if let renewal = grant.renewal {
      members["renewalToken"] = .string(renewal.token)
      members["expiresAt"] = .number(Double(renewal.expiresAt))
    }
    return .object(members)
  }
}

/// Gives a failure of pairing its status.
enum PairingFailure {
  static func mapped<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as PairingError {
      switch error.code {
      case .invalid: throw CompanionError(.badRequest, error.message)
      case .denied: throw CompanionError(.forbidden, error.message)
      case .busy(let seconds):
        throw CompanionError(.tooManyRequests, error.message, headers: [.retryAfter: String(seconds)])
      case .noQuestion: throw CompanionError(.notFound, error.message)
      case .givenUp: throw CancellationError()
      case .device: throw CompanionError(.internalServerError, error.message)
      }
    }
  }
}
