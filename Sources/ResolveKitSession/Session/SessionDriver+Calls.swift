import Foundation
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The calls of the session API, each reported back to the machine.
extension SessionDriver {
  func register() async {
    do {
      note(try await transport.connect())
      let compatibility = try await api.compatibility()
      // A runtime that was stopped meanwhile may have been started anew: this is no word on that start.
      guard !Task.isCancelled else { return }
      if let objection = compatibility?.objection(toSDKVersion: ClientDescription.sdkVersion) {
        handle(.registrationFailed(RequestFailure(message: objection), isFinal: true))
        return
      }
      // Beside the registration: no chat waits for its colours.
      start { await $0.loadTheme() }
      try await api.registerFunctions(functions.definitions)
      guard !Task.isCancelled else { return }
      handle(.registered)
    } catch {
      guard !Task.isCancelled else { return }
      let isRefused = (error as? ResolveKitAPIClientError)?.isAuthorizationFailure ?? false
      handle(.registrationFailed(Self.failure(error), isFinal: isRefused))
    }
  }

  func createSession() async {
    let context = context()
    // A second creation within a runtime is for a new token: it is meant to find the same session.
    let isReuse = createdSessions > 0 || journal != nil || configuration.reusesActiveSession
    do {
      let session = try await api.createSession(sessionRequest(context, reusesActive: isReuse))
      let connection = await transport.snapshot()?.connection
      // The answer to a runtime that was stopped meanwhile: nothing may be opened for it. No waiting from here on.
      guard !Task.isCancelled else { return }
      do {
        try prepareJournal(for: session.id)
      } catch {
        return handle(.journalFailed(RequestFailure(code: error.code.rawValue, message: error.message)))
      }
      createdSessions += 1
      if session.id != self.session?.id {
        leaveSession()
        let isKnown = machine.sessionID == session.id && machine.cursor != nil
        let isReplayed = session.reusedActiveSession && !isKnown
        takenUpAt = isReplayed ? session.lastActivityAt.flatMap { Date(contractTime: $0) } : nil
      }
      self.session = session
      sentContext = context
      scheduleRenewal()
      if let connection { note(connection) }
      hub.send(.session(id: session.id, transport: transportKind ?? .http1))
      greet(session)
      handle(.sessionCreated(sessionID: session.id, isReused: session.reusedActiveSession))
    } catch {
      guard !Task.isCancelled else { return }
      handle(.sessionFailed(Self.failure(error)))
    }
  }

  func post(_ message: OutgoingMessage) async {
    guard let session else { return }
    do {
      try await refreshContext(force: false)
    } catch {
      guard !Task.isCancelled else { return }
      return handle(.messageNotPosted(requestID: message.requestID, Self.failure(error), at: now()))
    }
    do {
      let answer = try await api.sendMessage(
        MessageSendRequest(text: message.text, requestID: message.requestID, locale: message.locale),
        session: session)
      handle(
        .messageAccepted(requestID: message.requestID, turnID: answer.turnID, at: now())
      )
    } catch {
      handle(
        .messageFailed(requestID: message.requestID, Self.failure(error), at: now()))
    }
  }

  func deliver(_ payload: ResolveKitToolResultPayload, for key: ToolCallKey) async {
    guard let session else { return }
    do {
      let answer = try await api.postToolResult(payload, session: session)
      handle(.resultAccepted(key, deduplicated: answer.deduplicated, at: now()))
    } catch {
      handle(.resultFailed(key, Self.failure(error), at: now()))
    }
  }

  /// Not every backend can stop a turn: one that can't lets it run to its end, which is waited for anyway.
  func stopTurn(_ turnID: String) async {
    guard let session else { return }
    do {
      try await api.stopTurn(turnID, session: session)
    } catch {
      logger.debug("the turn runs on", metadata: ["turn_id": "\(turnID)", "reason": "\(error)"])
    }
  }

  func loadHistory() async {
    guard let session else { return }
    do {
      let history = try await api.history(session: session)
      guard !Task.isCancelled, self.session?.id == session.id else { return }
      handle(.historyLoaded(history, at: now()))
    } catch {
      guard !Task.isCancelled, self.session?.id == session.id else { return }
      handle(.historyFailed(Self.failure(error), at: now()))
    }
  }

  /// Tells the server what has changed about the client since it was last told.
  package func refreshContext(force: Bool) async throws {
    guard let session else { return }
    let update = context()
    guard force || update != sentContext else { return }
    try await api.updateContext(update, session: session)
    let speaksAnew = update.locale != sentContext?.locale
    sentContext = update
    if speaksAnew { await loadLocalization() }
  }

  func sessionRequest(_ context: ContextUpdateRequest, reusesActive: Bool) -> SessionCreateRequest {
    SessionCreateRequest(
      availableFunctionNames: context.availableFunctionNames, deviceID: deviceID, client: context.client,
      llmContext: context.llmContext, locale: context.locale, preferredLocales: preferredLocales,
      reuseActiveSession: reusesActive)
  }

  func context() -> ContextUpdateRequest {
    ContextUpdateRequest(
      availableFunctionNames: functions.names(wanted: configuration.availableFunctionNamesProvider?()),
      client: ClientDescription.current(platform: configuration.platform),
      llmContext: configuration.llmContextProvider(), locale: locale)
  }

  func newID() -> String {
    UUID().uuidString.lowercased()
  }

  /// Any error as the machine decides on it.
  static func failure(_ error: any Error) -> RequestFailure {
    switch error {
    case let error as ResolveKitAPIClientError: error.requestFailure
    case let error as TransportError: RequestFailure(message: error.description)
    default: RequestFailure(message: "\(error)")
    }
  }
}
