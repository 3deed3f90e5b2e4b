import Hummingbird
import ResolveKitCore

/// Answers in the place of a route where a fault was ordered.
struct FaultMiddleware: RouterMiddleware {
  typealias Context = BackendContext

  let faults: BackendFaults

  func handle(
    _ request: Request, context: BackendContext, next: (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    let name = request.uri.path.split(separator: "/").last.map(String.init) ?? ""
    guard let refusal = faults.takeRefusal(of: "\(request.method.rawValue) \(name)") else {
      return try await next(request, context)
    }
    var error = APIError.refusal(status: refusal.status)
    if let seconds = refusal.retryAfter { error.headers[.retryAfter] = "\(seconds)" }
    return try error.response(from: request, context: context)
  }
}

extension APIError {
  /// The contract's answer with that status.
  static func refusal(status: Int) -> APIError {
    switch status {
    case 401: return invalidToken
    case 403: return chatUnavailable
    case 404: return sessionNotFound
    case 409: return turnInProgress
    case 410: return sessionExpired
    case 422:
      return invalid(ValidationIssue(type: "value_error", location: ["body"], message: "Value error, refused"))
    case 426: return APIError(status: .upgradeRequired, detail: "This SDK version is no longer supported")
    case 429: return APIError(status: .tooManyRequests, detail: "Too many requests")
    default: return APIError(status: .init(code: min(max(status, 400), 599)), detail: "Refused on purpose")
    }
  }
}
