import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// An error response with the contract's body: `{"error": "…"}`.
struct CompanionError: Error, Equatable, HTTPResponseError {
  let status: HTTPResponse.Status
  let message: String
  var headers: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  static let notFound = CompanionError(.notFound, "Not found")
  static let tooManyStreams = CompanionError(
    .tooManyRequests, "Too many event streams are open for this device; close one.")

  static let tooManyBodies = CompanionError(
    .serviceUnavailable, "Too many messages are being taken; try again.", headers: [.retryAfter: "1"])

  static func bodyTooLarge(limit: Int) -> CompanionError {
    CompanionError(.contentTooLarge, "The request body is larger than \(limit) bytes; send less at once.")
  }

  static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> CompanionError {
    CompanionError(
      .methodNotAllowed, "Method not allowed", headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")])
  }

  var response: Response { .json(["error": .string(message)], status: status, headers: headers) }

  func response(from request: Request, context: some RequestContext) throws -> Response { response }
}

extension Response {
  /// A success as the contract wraps it: `{"data": …}`.
  static func data(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
    .json(["data": value], status: status)
  }
}
