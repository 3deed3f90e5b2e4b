import EventLedger
import Foundation
import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// The routes for an SDK without a session.
struct SDKRoutes: Sendable {
  let services: BackendServices

  /// Which clients may come.
  func compatibility(_ request: Request, _ context: BackendContext) async throws -> Response {
    try Admission(services: services).checkKey(request)
    return .json([
      "minimum_sdk_version": "1.0.0", "supported_sdk_major_versions": [1],
      "client_requirements": ["client.platform", "client.os_version", "client.app_version"],
      "server_time": .string(services.now().offset),
    ])
  }

  func theme(_ request: Request, _ context: BackendContext) async throws -> Response {
    try Admission(services: services).checkKey(request)
    return .json(["light": Self.json(services.settings.theme.light), "dark": Self.json(services.settings.theme.dark)])
  }

  private static func json(_ palette: ResolveKitChatPalette) -> JSONValue {
    .object(Dictionary(palette.colors.map { ($0.name, .string($0.value.uppercased())) }, uniquingKeysWith: { $1 }))
  }

  /// A token in the place of the key, for the key's holder to pass on.
  func clientToken(_ request: Request, _ context: BackendContext) async throws -> Response {
    try Admission(services: services).checkOwnKey(request, services.keys)
    try checkOrigin(request)
    guard let (token, expiry) = services.clientTokens.token(now: services.now()) else { throw APIError.tooManyTokens }
    var headers: HTTPFields = [.cacheControl: "no-store", .vary: "Origin"]
    if let pragma = HTTPField.Name("pragma") { headers[pragma] = "no-cache" }
    return .json(["token": .string(token), "expires_at": .string(expiry.zulu)], headers: headers)
  }

  /// Programs send no `Origin`; pages do, and not every page may have a token.
  private func checkOrigin(_ request: Request) throws(APIError) {
    guard let origin = request.headers[.origin], !services.settings.allowedOrigins.contains(origin) else { return }
    guard let authority = request.head.authority, origin == "https://\(authority)" else {
      throw APIError.originNotAllowed
    }
  }
}
