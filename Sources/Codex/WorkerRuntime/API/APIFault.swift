import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// An answer that is no success, in the shape of the layer of the contract's server that gives it.
struct APIFault: Error, Equatable, HTTPResponseError {
  let status: HTTPResponse.Status
  let body: JSONValue
  var headers: HTTPFields = [:]

  /// The runtime's shape.
  init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, details: JSONObject = [:],
    headers: HTTPFields = [:]
  ) {
    self.status = status
    let error: JSONObject = ["code": .string(code), "message": .string(message)]
    body = ["error": .object(error.merging(details) { own, _ in own })]
    self.headers = headers
  }

  /// The shape of the public layer in front of it.
  private init(_ status: HTTPResponse.Status, body: JSONValue, headers: HTTPFields = [:]) {
    self.status = status
    self.body = body
    self.headers = headers
  }

  init(_ error: WorkerError) {
    let status: HTTPResponse.Status =
      switch error.code {
      case .unauthorized: .unauthorized
      case .forbidden: .forbidden
      case .invalidRequest: .badRequest
      case .notFound: .notFound
      case .conflict: .conflict
      case .staleCursor: .gone
      case .internalError: .internalServerError
      }
    self.init(status, error.code.rawValue, error.message, details: error.details)
  }

  static let unauthenticated = APIFault(
    .unauthorized, body: ["message": "Unauthenticated."], headers: [.wwwAuthenticate: "Bearer"])

  static func tooManyAttempts(_ headers: HTTPFields) -> APIFault {
    APIFault(.tooManyRequests, body: ["message": "Too Many Attempts."], headers: headers)
  }

  /// - Parameter errors: for each field, what is wrong with it.
  static func invalid(_ errors: [(field: String, messages: [String])]) -> APIFault {
    let count = errors.reduce(0) { $0 + $1.messages.count }
    let first = errors.first?.messages.first ?? "The given data was invalid."
    let rest = count < 2 ? "" : " (and \(count - 1) more error\(count == 2 ? "" : "s"))"
    let members = errors.map { ($0.field, JSONValue.array($0.messages.map { .string($0) })) }
    return APIFault(
      .unprocessableContent,
      body: [
        "message": .string(first + rest), "errors": .object(JSONObject(members, uniquingKeysWith: { $1 })),
      ])
  }

  static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> APIFault {
    APIFault(
      .methodNotAllowed, "invalid_request", "method not allowed",
      headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")])
  }

  static func unavailable(_ message: String) -> APIFault {
    APIFault(.serviceUnavailable, "internal_error", message, headers: [.retryAfter: "2"])
  }

  func response(from request: Request, context: some RequestContext) throws -> Response { response }

  var response: Response { .json(body, status: status, headers: headers) }
}
