import Foundation
import Logging
package import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The calls of the session API, each reported back to the machine.
extension SessionDriver {
  func register() async {
    guard let key = configuration.apiKeyProvider(), !key.isEmpty else {
      // Known without a network, and no connection would help.
      let failure = ResolveKitAPIClientError.missingAPIKey.requestFailure
      return handle(.registrationFailed(failure, isFinal: true))
    }
    do {
      status.take(try await transport.connect())
      let compatibility = try await api.compatibility()
      // A runtime that was stopped meanwhile may have been started again: this says nothing about that start.
      guard !Task.isCancelled else { return }
      if let objection = compatibility?.objection(toSDKVersion: ClientDescription.sdkVersion) {
        handle(.registrationFailed(RequestFailure(message: objection), isFinal: true))
        return
      }
      // Beside the registration: no chat waits for its colours.
      start { await $0.loadTheme() }
      try await api.registerFunctions(tools.functions.definitions)
      guard !Task.isCancelled else { return }
      handle(.registered)
    } catch {
      guard !Task.isCancelled else { return }
      let isRefused = (error as? ResolveKitAPIClientError)?.isAuthorizationFailure ?? false
      handle(.registrationFailed(Self.failure(error), isFinal: isRefused))
    }
  }

  func createSession() async {
    let context = client.context()
    // A second creation within a runtime is for a new token: it is meant to find the same session.
    let takesUp = !session.mustBeNew && (journals.inUse != nil || configuration.reusesActiveSession)
    let isReuse = session.wasCreated || takesUp
    do {
      let new = try await api.createSession(client.sessionRequest(context, reusesActive: isReuse))
      let connection = await transport.snapshot()?.connection
      // The answer to a runtime that was stopped meanwhile: nothing may be opened for it. No waiting from here on.
      guard !Task.isCancelled else { return }
      do {
        try prepareJournal(for: new.id)
      } catch {
        if error.code == .inUse, isReuse, session.current == nil { return await createOwnSession() }
        return handle(.journalFailed(RequestFailure(code: error.code.rawValue, message: error.message)))
      }
      if new.id != session.current?.id {
        let isKnown = machine.sessionID == new.id && machine.cursor != nil
        let isReplayed = new.reusedActiveSession && !isKnown
        leaveSession(takenUpAt: isReplayed ? new.lastActivityAt.flatMap { Date(contractTime: $0) } : nil)
      }
      if let known = machine.sessionID, known != new.id { publisher.send(.forgotten(sessionID: known)) }
      session.take(new, with: context)
      renewal.schedule { [weak self] in await self?.renewToken() }
      if let connection { status.take(connection) }
      publisher.send(.session(id: new.id, transport: status.transport ?? .http1))
      greet(new)
      handle(.sessionCreated(sessionID: new.id, isReused: new.reusedActiveSession))
    } catch {
      guard !Task.isCancelled else { return }
      handle(.sessionFailed(Self.failure(error)))
    }
  }

  /// Shows what a session comes with. A session that was taken up again has its first message in its history.
  private func greet(_ session: ResolveKitSession) {
    if let localization = session.localization {
      publisher.send(.localized(localization))
    } else {
      start { await $0.loadLocalization() }
    }
    guard !session.reusedActiveSession, let text = session.initialMessage, !text.isEmpty else { return }
    publisher.send(.message(ResolveKitChatMessage(id: "initial-\(session.id)", role: .assistant, text: text)))
  }

  /// The session that the server offered is open in another instance of the app on this machine.
  private func createOwnSession() async {
    logger.notice("another instance of this app has the device's session; this one begins its own")
    publisher.send(.note("another instance of this app has the device's session; a new session is begun"))
    client.becomeAnotherDevice(newID())
    session.demandNew()
    await createSession()
  }

  /// Returns when to renew again; nil where this token is left to its end, after which the turn machine's way to a new
  /// session is taken.
  private func renewToken() async -> Duration? {
    guard let old = session.current else { return nil }
    let context = client.context()
    do {
      let new = try await api.createSession(client.sessionRequest(context, reusesActive: true))
      guard !Task.isCancelled, session.current?.id == old.id else { return nil }
      guard new.id == old.id else {
        logger.notice("the session can't be renewed: the server takes up another one for this device")
        return nil
      }
      session.take(new, with: context)
      logger.debug("the session's token was renewed")
      return TokenRenewal.interval
    } catch {
      let failure = Self.failure(error)
      logger.info("the session's token was not renewed: \(failure)")
      return TokenRenewal.wait(after: failure)
    }
  }

  func post(_ message: OutgoingMessage) async {
    guard let session = session.current else { return }
    do {
      try await refreshContext(force: false)
    } catch {
      guard !Task.isCancelled else { return }
      return handle(.messageNotPosted(requestID: message.requestID, Self.failure(error), at: clock.now()))
    }
    do {
      let answer = try await api.sendMessage(
        MessageSendRequest(text: message.text, requestID: message.requestID, locale: message.locale),
        session: session)
      handle(.messageAccepted(requestID: message.requestID, turnID: answer.turnID, at: clock.now()))
    } catch {
      handle(.messageFailed(requestID: message.requestID, Self.failure(error), at: clock.now()))
    }
  }

  /// Not every backend can stop a turn: one that can't lets it run to its end, which is waited for anyway.
  func stopTurn(_ turnID: String) async {
    guard let session = session.current else { return }
    do {
      try await api.stopTurn(turnID, session: session)
    } catch {
      logger.debug("the turn runs on", metadata: ["turn_id": "\(turnID)", "reason": "\(error)"])
    }
  }

  func loadHistory() async {
    guard let asked = session.current else { return }
    do {
      let history = try await api.history(session: asked)
      guard !Task.isCancelled, session.current?.id == asked.id else { return }
      handle(.historyLoaded(history, at: clock.now()))
    } catch {
      guard !Task.isCancelled, session.current?.id == asked.id else { return }
      handle(.historyFailed(Self.failure(error), at: clock.now()))
    }
  }

  /// Sends what has changed about the client since the server last had it; all of it where that is forced.
  package func refreshContext(force: Bool) async throws {
    guard let current = session.current else { return }
    let update = client.context()
    guard force || update != session.sentContext else { return }
    try await api.updateContext(update, session: current)
    let isNewLocale = update.locale != session.sentContext?.locale
    session.sent(update)
    if isNewLocale { await loadLocalization() }
  }

  /// Sends messages of a session that the server has forgotten along with the context, from now on. Returns how many of
  /// them, the newest, there is room for.
  package func recall(_ messages: [ResolveKitChatMessage]) async throws -> Int {
    let count = client.recall(messages)
    try await refreshContext(force: false)
    return count
  }

  /// Sends the locale, and shows the server's words; a server without them leaves those that are shown.
  func loadLocalization() async {
    guard let current = session.current else { return }
    let locale = client.locale
    do {
      let localization = try await api.localization(locale, session: current)
      guard locale == client.locale else { return }
      session.sent(locale: locale)
      publisher.send(.localized(localization))
    } catch {
      logger.info("the chat's texts in \(locale) are not available: \(error)")
      publisher.send(.note("the chat's texts in \(locale) are not available: \(Self.failure(error))"))
    }
  }

  /// No failure of this stands in a conversation's way.
  private func loadTheme() async {
    do {
      publisher.send(.themed(try await api.chatTheme()))
    } catch {
      logger.info("the chat keeps the default colours: \(error)")
    }
  }

  /// Any error in the form that the machine decides on.
  static func failure(_ error: any Error) -> RequestFailure {
    switch error {
    case let error as ResolveKitAPIClientError: error.requestFailure
    case let error as TransportError: RequestFailure(message: error.description)
    default: RequestFailure(message: "\(error)")
    }
  }
}
