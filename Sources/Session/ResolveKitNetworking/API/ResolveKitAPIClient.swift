public import Foundation
import HTTPTypes
public import Logging
public import ResolveKitCore
public import StreamTransport

/// The session API: every request of the contract that is not the event stream.
///
/// Safe to use from any task. Calls throw ``ResolveKitAPIClientError`` where a server answered something else than
/// asked for, and `TransportError` where there was no answer; cancelling the task cancels the call.
public struct ResolveKitAPIClient: Sendable {
  let requests: APIRequests

  /// - Parameters:
  ///   - baseURL: its path, such as `/agent`, is put before every path of the contract.
  ///   - apiKeyProvider: asked before each call; nil and the empty string give `missingAPIKey`.
  public init(
    baseURL: URL, transport: any HTTPTransport, apiKeyProvider: @escaping @Sendable () -> String?,
    timeouts: ResolveKitAPITimeouts = ResolveKitAPITimeouts(), logger: Logger = Logger(label: "resolvekit.api")
  ) {
    self.init(
      baseURL: baseURL, transport: transport, apiKeyProvider: apiKeyProvider, timeouts: timeouts,
      clock: TransportClock.continuous, logger: logger)
  }

  package init(
    baseURL: URL, transport: any HTTPTransport, apiKeyProvider: @escaping @Sendable () -> String?,
    timeouts: ResolveKitAPITimeouts, clock: TransportClock, logger: Logger
  ) {
    requests = APIRequests(
      base: ResolveKitBasePath(baseURL), transport: transport, apiKeyProvider: apiKeyProvider, timeouts: timeouts,
      clock: clock, logger: logger)
  }

  /// The SDK versions that the server supports; nil if it answers 404.
  public func compatibility() async throws -> CompatibilityResponse? {
    do {
      return try await requests.answer(
        CompatibilityResponse.self,
        to: APICall(method: .get, path: "/v1/sdk/compat", timeout: requests.timeouts.setUp, answerLimit: 64 << 10))
    } catch ResolveKitAPIClientError.serverError(statusCode: 404, message: _) {
      return nil
    }
  }

  /// The chat's colours. Throws `invalidResponse` if a value is not a colour.
  public func chatTheme() async throws -> ResolveKitChatTheme {
    let theme = try await requests.answer(
      ResolveKitChatTheme.self,
      to: APICall(method: .get, path: "/v1/sdk/chat-theme", timeout: requests.timeouts.setUp, answerLimit: 64 << 10))
    guard theme.isValid else {
      throw ResolveKitAPIClientError.invalidResponse(reason: "a colour of the theme is not #RRGGBB or #RRGGBBAA.")
    }
    return theme
  }

  /// A token for clients that must not hold the API key; needs the key itself.
  public func clientToken() async throws -> ResolveKitClientToken {
    try await requests.answer(
      ResolveKitClientToken.self,
      to: APICall(method: .post, path: "/v1/sdk/client-token", timeout: requests.timeouts.call, answerLimit: 64 << 10))
  }

  /// Replaces the app's whole set of functions.
  public func registerFunctions(_ functions: [ResolveKitDefinition]) async throws {
    guard functions.count <= FunctionsRegistration.maximumCount else {
      throw ResolveKitAPIClientError.serverError(
        statusCode: 422, message: "At most \(FunctionsRegistration.maximumCount) functions can be registered.")
    }
    // The answer repeats the definitions; nothing in it is needed.
    _ = try await requests.bytes(
      of: APICall(
        method: .put, path: "/v1/functions/bulk",
        body: try requests.body(FunctionsRegistration(functions: functions)), timeout: requests.timeouts.bulk,
        answerLimit: 8 << 20))
  }

  /// Creates a session, or takes up the device's active one.
  public func createSession(_ request: SessionCreateRequest) async throws -> ResolveKitSession {
    try await requests.answer(
      ResolveKitSession.self,
      to: APICall(
        method: .post, path: "/v1/sessions", body: try requests.body(request), timeout: requests.timeouts.setUp,
        answerLimit: 1 << 20))
  }

  /// Sends the server what has changed about the client since the session was created.
  public func updateContext(_ update: ContextUpdateRequest, session: ResolveKitSession) async throws {
    _ = try await requests.bytes(
      of: call(.patch, "context", of: session, body: try requests.body(update)))
  }

  /// Starts a turn; the same `requestID` again gives the same turn and starts nothing.
  public func sendMessage(
    _ message: MessageSendRequest, session: ResolveKitSession
  ) async throws -> MessageSendResponse {
    try await requests.answer(
      MessageSendResponse.self, to: call(.post, "messages", of: session, body: try requests.body(message)))
  }

  /// Posts a tool's result; the payload's idempotency key makes repeating it harmless.
  public func postToolResult(
    _ result: ResolveKitToolResultPayload, session: ResolveKitSession
  ) async throws -> ToolResultResponse {
    try await requests.answer(
      ToolResultResponse.self, to: call(.post, "tool-results", of: session, body: try requests.body(result)))
  }

  /// Asks the server to stop a turn, which then ends with an `error` event of code `cancelled`.
  ///
  /// An extension of the contract that the reference backend has; others answer 404.
  public func stopTurn(_ turnID: String, session: ResolveKitSession) async throws {
    let name = "turns/\(ResolveKitBasePath.encoded(turnID))/cancel"
    _ = try await requests.bytes(of: call(.post, name, of: session, body: nil))
  }

  /// The chat's words in a locale; the session speaks it from then on.
  public func localization(
    _ locale: String, session: ResolveKitSession
  ) async throws -> ResolveKitChatLocalization {
    try await requests.answer(
      ResolveKitChatLocalization.self,
      to: call(.get, "localization?locale=\(ResolveKitBasePath.encoded(locale))", of: session, body: nil))
  }

  /// Rates the session; a second rating is refused with 409.
  public func submitFeedback(_ feedback: ResolveKitFeedbackRequest, session: ResolveKitSession) async throws {
    _ = try await requests.bytes(of: call(.post, "feedback", of: session, body: try requests.body(feedback)))
  }

  /// The functions that the session's model may call.
  public func eligibleFunctions(session: ResolveKitSession) async throws -> [RegisteredFunction] {
    try await requests.answer(
      [RegisteredFunction].self,
      to: APICall(
        method: .get, path: "/v1/functions/eligible?session_id=\(ResolveKitBasePath.encoded(session.id))",
        timeout: requests.timeouts.bulk, answerLimit: 8 << 20))
  }

  /// The session's messages in order.
  public func history(session: ResolveKitSession) async throws -> [HistoryMessage] {
    var call = call(.get, "messages", of: session, body: nil)
    call.timeout = requests.timeouts.bulk
    call.answerLimit = 32 << 20
    return try await requests.answer([HistoryMessage].self, to: call)
  }

  private func call(
    _ method: APICall.Method, _ name: String, of session: ResolveKitSession, body: [UInt8]?
  ) -> APICall {
    APICall(
      method: method, path: "/v1/sessions/\(ResolveKitBasePath.encoded(session.id))/\(name)",
      capability: session.chatCapabilityToken, body: body, timeout: requests.timeouts.call, answerLimit: 1 << 20)
  }
}
