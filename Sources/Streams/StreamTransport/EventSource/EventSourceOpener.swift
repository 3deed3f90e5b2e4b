import EventStream
import Foundation
import HTTPTypes

/// Sends an event source's request and judges the response (HTML § 9.2.2).
struct EventSourceOpener: Sendable {
  enum Outcome: Sendable {
    case stream(EventSourceStream)
    /// Status 204: the server wants no further attempt.
    case noContent
    case refused(EventSourceError, retryAfter: Duration?)
  }

  let transport: any HTTPTransport
  let configuration: EventSourceConfiguration
  let makeRequest: @Sendable (EventSourceAttempt) async throws -> EventSourceRequest

  /// Throws what `makeRequest` threw, or `CancellationError`.
  ///
  /// - Parameter isMove: the request is sent beside one that is answered, so it has to be one that may be.
  func open(_ attempt: EventSourceAttempt, _ cursor: EventCursor, isMove: Bool = false) async throws -> Outcome {
    var request = try await makeRequest(attempt)
    if isMove {
      guard case .none = request.body, RequestRules.isSafe(request.method) else {
        return .refused(.moved, retryAfter: nil)
      }
    }
    Self.complete(&request, cursor)
    var redirects = 0
    while true {
      let response: TransportResponse
      do throws(EventSourceError) {
        response = try await send(request)
      } catch {
        try Task.checkCancellation()
        return .refused(error, retryAfter: nil)
      }
      switch response.head.status.code {
      case 200: return judge(response)
      case 204: return .noContent
      case 301, 302, 303, 307, 308:
        redirects += 1
        do throws(EventSourceError) {
          guard redirects <= configuration.maximumRedirects else {
            throw .redirect(location: response.head.headerFields[.location], reason: "it is one of too many.")
          }
          try follow(response.head, &request)
          request.path = cursor.applied(toPath: request.path)
        } catch {
          return .refused(error, retryAfter: nil)
        }
      default:
        return try await refusal(response)
      }
    }
  }

  /// Whether the configuration wants no further attempt after this.
  func isFinal(_ error: EventSourceError) -> Bool {
    guard case .status(let code, _) = error else { return false }
    return configuration.onStatus(code) == .fail
  }

  private static func complete(_ request: inout EventSourceRequest, _ cursor: EventCursor) {
    func add(_ name: HTTPField.Name, _ value: String) {
      if request.fields[name] == nil { request.fields[name] = value }
    }
    add(.accept, "text/event-stream")
    // A compressed stream is held back until the compressor's block is full.
    add(.acceptEncoding, "identity")
    // What a request of the standard's cache mode, no-store, says (HTML § 9.2.2, Fetch § 4.5).
    add(.cacheControl, "no-cache")
    add(.priority, RequestPriority.eventStream.fieldValue)
    if let id = cursor.lastEventIDField, let name = HTTPField.Name("last-event-id") {
      // UTF-8 as the standard wants it, not the latin-1 that fields usually are.
      request.fields[fields: name] = [HTTPField(name: name, value: Array(id.utf8))]
    }
    request.path = cursor.applied(toPath: request.path)
  }

  private func send(_ request: EventSourceRequest) async throws(EventSourceError) -> TransportResponse {
    let message = HTTPRequest(
      method: request.method, scheme: nil, authority: nil, path: request.path, headerFields: request.fields)
    do {
      let response = try await configuration.clock.withLimit(configuration.responseTimeout) {
        try await transport.send(message, body: request.body)
      }
      guard let response else { throw EventSourceError.noResponse(configuration.responseTimeout) }
      return response
    } catch let error as EventSourceError {
      throw error
    } catch {
      throw .transport(
        (error as? TransportError) ?? TransportError(.cancelled, "The request failed: \(error).", cause: error))
    }
  }

  private func judge(_ response: TransportResponse) -> Outcome {
    let fields = response.head.headerFields
    let coding = fields[.contentEncoding]?.lowercased() ?? "identity"
    let type = fields[.contentType]
    let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    guard essence == "text/event-stream" else { return .refused(.contentType(type), retryAfter: nil) }
    guard coding == "identity" else { return .refused(.contentType("coded as \(coding)"), retryAfter: nil) }
    return .stream(
      EventSourceStream(response, clock: configuration.clock, idleTimeout: configuration.idleTimeout))
  }

  private func refusal(_ response: TransportResponse) async throws -> Outcome {
    let limit = max(configuration.errorBodyLimit, 0)
    let body = try? await configuration.clock.withLimit(configuration.responseTimeout) {
      var bytes: [UInt8] = []
      for try await chunk in response.body {
        bytes += chunk.prefix(limit - bytes.count)
        if bytes.count >= limit { break }
      }
      return bytes
    }
    response.body.cancel()
    try Task.checkCancellation()
    let retryAfter = RetryAfter.seconds(in: response.head.headerFields, now: configuration.clock.secondsSince1970)
    return .refused(
      .status(code: response.head.status.code, body: body.flatMap(\.self) ?? []),
      retryAfter: retryAfter.map { .seconds(min($0, 1 << 31)) })
  }

  /// The fields of a body that goes with it (Fetch § 2.2.2, request-body-header names).
  private static let contentFields: [HTTPField.Name] = [
    .contentEncoding, .contentLanguage, .contentLocation, .contentType, .contentLength,
  ]

  /// Turns the request to where a redirect points, if that is the same origin: the token in it is for no other.
  private func follow(_ head: HTTPResponse, _ request: inout EventSourceRequest) throws(EventSourceError) {
    guard let location = head.headerFields[.location], !location.isEmpty else {
      throw .redirect(location: nil, reason: "it names no location.")
    }
    let base = URL(string: transport.origin.description + request.path)
    guard
      let target = URL(string: location, relativeTo: base)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
    else { throw .redirect(location: location, reason: "it is no URL.") }
    guard let origin = try? Origin(target), origin == transport.origin else {
      throw .redirect(location: location, reason: "it leads away from \(transport.origin).")
    }
    parts.scheme = nil
    parts.host = nil
    parts.port = nil
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    let path = parts.string ?? ""
    request.path = path.hasPrefix("/") ? path : "/" + path
    // Fetch § 4.4: 301 and 302 turn a POST into a GET, 303 any method but HEAD; 307 and 308 leave it.
    let becomesGet =
      switch head.status.code {
      case 301, 302: request.method == .post
      case 303: request.method != .get && request.method != .head
      default: false
      }
    guard becomesGet else { return }
    request.method = .get
    request.body = .none
    for name in Self.contentFields { request.fields[name] = nil }
  }
}
