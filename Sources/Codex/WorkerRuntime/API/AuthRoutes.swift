import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// `POST /api/auth/email` and `/verify`: a code by e-mail, then a token for it. A cookie holds the two together.
struct AuthRoutes: Sendable {
  let services: RuntimeServices

  private static let cookie = "workers_sign_in"

  func email(_ request: Request, _ context: RuntimeContext) async throws -> Response {
    try services.signInRate.admit(context.sourceAddress)
    let body = try await JSONRequestBody.read(request, upTo: JSONRequestBody.openLimit)
    var validation = Validation()
    let email = validation.string(body.members["email"], "email", limit: 255, isRequired: true)
    if let email, !Self.isAddress(email) {
      validation.report("email", "The email field must be a valid email address.")
    }
    try validation.check()
    guard let email else { throw APIFault.invalid([]) }
    let secret = try await services.signIn.begin(email.lowercased())
    var headers = HTTPFields()
    headers[.setCookie] =
      "\(Self.cookie)=\(secret); Path=/api/auth; Max-Age=600; HttpOnly; Secure; SameSite=Lax"
    return .json(["ok": true, "status": "code_sent", "email": .string(email)], headers: headers)
  }

  func verify(_ request: Request, _ context: RuntimeContext) async throws -> Response {
    try services.signInRate.admit(context.sourceAddress)
    let body = try await JSONRequestBody.read(request, upTo: JSONRequestBody.openLimit)
    var validation = Validation()
    let code = validation.string(body.members["code"], "code", limit: 32, isRequired: true)
    try validation.check()
    guard let code, let secret = Self.secret(request) else { throw SignInError.invalidCode }
    let grant = try await services.signIn.complete(
      secret: secret, code: code.filter { !$0.isWhitespace })
    return .json([
      "token": .string(grant.secret), "userId": .string(grant.user.id),
      "user": ["id": .string(grant.user.id), "email": .string(grant.user.email)],
    ])
  }

  /// The cookie's value (RFC 6265 § 5.4).
  private static func secret(_ request: Request) -> String? {
    let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ $0 != " " }) == cookie, parts[1].utf8.count <= 128 else { continue }
      return parts[1].filter { $0 != " " }
    }
    return nil
  }

  /// Something at something, in visible ASCII without quotes: what every mail server takes.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),:;<>[]\\".utf8.contains($0) }
  }
}
