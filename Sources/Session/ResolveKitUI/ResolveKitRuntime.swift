import Foundation
import Logging
public import Observation
public import ResolveKitCore
public import ResolveKitSession
import StreamTransport

/// A conversation with an agent: the one object that an app holds.
///
/// All state is on the main actor and may be observed; what happens, in order and complete, is in ``updates()``.
@MainActor
@Observable
public final class ResolveKitRuntime {
  /// The transcript in order: the newest 2 000 messages at most.
  public var messages: [ResolveKitChatMessage] { transcript.messages }
  /// The state of the session's event stream.
  public private(set) var connectionState: ResolveKitConnectionState = .idle
  /// Whether the agent is at work on a message.
  public private(set) var isTurnInProgress = false
  /// The question that waits for a person's decision, nil if none does. Calls that are decided on, out of time or of a turn
  /// that has ended leave it, and what was decided for it with them counts no more.
  public var pendingApproval: ResolveKitApprovalRequest? { session.pendingApproval }
  /// The newest batch's calls.
  public var toolCallChecklist: [ToolCallChecklistItem] { toolCalls.checklist }
  /// The newest batch's state.
  public var toolCallBatchState: ResolveKitToolCallBatchState { toolCalls.state }
  /// The newest 128 batches, oldest first.
  public var toolCallBatches: [ToolCallChecklistBatch] { toolCalls.batches }
  /// The newest 512 lines on what happened, oldest first.
  public var executionLog: [String] { log.lines }
  /// The last error that needs a person's action, nil if there was none.
  public private(set) var lastError: String?
  /// The chat's colours: the server's once they have come, else the default ones.
  public private(set) var chatTheme = ResolveKitChatTheme.default
  /// The palette of the theme that a view shows.
  public private(set) var appearanceMode = ResolveKitAppearanceMode.system
  /// The locale of outgoing messages and of the chat's words as a BCP 47 tag.
  public var currentLocale: String { words.locale }
  /// The chat's heading.
  public var chatTitle: String { words.title }
  /// The text of an empty composer.
  public var messagePlaceholder: String { words.placeholder }
  /// Whether a person has taken over.
  public var isEscalated: Bool { session.isEscalated }
  /// The reason for a person's takeover; nil while there is none.
  public var escalationReason: String? { session.escalationReason }
  /// Whether the server waits for ``submitFeedback(rating:comment:)`` or ``dismissFeedbackRequest()``.
  public var pendingFeedbackRequest: Bool { session.isFeedbackRequested }

  /// The settings that the runtime was created with.
  @ObservationIgnored public let configuration: ResolveKitConfiguration
  private let transcript = RuntimeTranscript()
  private let toolCalls = RuntimeToolCalls()
  private let session = RuntimeSession()
  private let words: RuntimeWords
  private let log = RuntimeLog()
  @ObservationIgnored private let deviceID: String
  @ObservationIgnored let hub = UpdateHub()
  @ObservationIgnored private(set) var driver: SessionDriver?
  @ObservationIgnored private var mirror: UpdateMirror?
  @ObservationIgnored private var isFinished = false

  /// The messages of a session that the server no longer has.
  var forgottenMessages: [ResolveKitChatMessage] { transcript.forgotten }

  /// Creates a runtime that is idle; nothing is sent before ``start()``.
  ///
  /// Reads the device's id from the user's state folder, and makes one there where it is missing.
  public init(configuration: ResolveKitConfiguration) {
    self.configuration = configuration
    deviceID = DeviceIdentity(folder: configuration.stateFolder, logger: configuration.logger).resolve(configuration)
    words = RuntimeWords(locale: configuration.resolvedLocale(nil))
  }

  /// A runtime that nobody holds any more ends as with ``finish()``, in the background.
  deinit {
    guard let driver else { return hub.finish() }
    Task { [hub] in
      await driver.stop()
      await driver.transport.close()
      hub.finish()
    }
  }

  /// The updates from now on, for one reader; ask again for another.
  public nonisolated func updates() -> ResolveKitRuntimeUpdates {
    hub.updates()
  }

  /// Registers the functions, creates the session and opens its event stream; returns once the stream is open and the
  /// properties say so.
  ///
  /// Does nothing while the runtime is running. Throws `ResolveKitStartError`, also after ``finish()``;
  /// `ResolveKitFunctionError` where two functions have one name, `TransportError` where the base URL can't be used, or
  /// `JournalError` where the session that the configuration names can't be taken up: in use, damaged, of another server,
  /// or not there.
  public func start() async throws {
    guard !isFinished else {
      throw ResolveKitStartError(isBlocked: false, message: "The runtime was finished. Make another one.")
    }
    do {
      let driver = try driver ?? makeDriver()
      self.driver = driver
      try await driver.startSession()
      await caughtUp()
    } catch {
      await caughtUp()
      if !(error is CancellationError) { lastError = "\(error)" }
      if driver == nil { connectionState = .failed }
      throw error
    }
  }

  /// Ends the turn, the stream and all tools; ``start()`` starts again, with the same session where it still lives.
  ///
  /// Returns at once and ends in the background. In an asynchronous function, call the other one.
  @available(*, noasync)
  public func stop() {
    Task { await stop() }
  }

  /// Ends the turn, the stream and all tools; ``start()`` starts again, with the same session where it still lives.
  public func stop() async {
    await driver?.stop()
    await driver?.transport.close()
    await caughtUp()
  }

  /// Stops permanently: every reader of ``updates()`` gets what is left, and then the end. No ``start()`` follows.
  public func finish() async {
    isFinished = true
    await stop()
    driver = nil
    hub.finish()
    await mirror?.ended()
  }

  /// Starts a new session and clears the transcript, with all that belongs to the old session: its turn ends first, so
  /// that nothing of it is shown in the new one.
  public func reloadWithNewSession() async {
    await driver?.stop()
    await caughtUp()
    transcript.clear()
    toolCalls.clear()
    session.reset()
    lastError = nil
    do {
      guard let driver else { return try await start() }
      try await driver.startNewSession()
      await caughtUp()
    } catch {
      await caughtUp()
      lastError = "\(error)"
    }
  }

  /// Sends the client's context, the allowed functions and the locale again. Throws what the call throws.
  public func refreshSessionContext() async throws {
    try await driver?.refreshContext(force: true)
  }

  /// Sets the palette of the theme that a view shows from now on.
  public func setAppearance(_ mode: ResolveKitAppearanceMode) {
    appearanceMode = mode
  }

  /// Another locale for the rest of the conversation as a BCP 47 tag; nil goes back to the configuration's.
  ///
  /// ``chatTitle`` and ``messagePlaceholder`` follow when the server has given its words; where it has none, they stay.
  public func setLocale(_ locale: String?) async {
    words.choose(configuration.resolvedLocale(locale))
    await driver?.useLocale(locale)
    await caughtUp()
  }

  /// Rates the session, from 1 to 5, with a comment of at most 2 000 characters. A session is rated once.
  ///
  /// Returns whether the server has the rating; why not is in ``executionLog``.
  @discardableResult
  public func submitFeedback(rating: Int, comment: String? = nil) async -> Bool {
    session.requestFeedback(false)
    do {
      guard let driver else {
        throw ResolveKitStartError(isBlocked: false, message: "There is no session to rate; start the runtime first.")
      }
      try await driver.submitFeedback(ResolveKitFeedbackRequest(rating: rating, comment: comment))
      return true
    } catch {
      log.append("feedback was not taken: \(error)")
      return false
    }
  }

  /// Continues without a rating; only an operator's request comes after this one.
  public func dismissFeedbackRequest() {
    session.requestFeedback(false)
    Task { [driver] in await driver?.dismissFeedback() }
  }

  /// Returns once the properties show all that has happened before this call.
  func caughtUp() async { await mirror?.caughtUp() }

  private func makeDriver() throws -> SessionDriver {
    let functions = try FunctionSet(
      functions: configuration.functions, packs: configuration.functionPacks, platform: configuration.platform,
      availability: configuration.availability)
    for warning in functions.warnings {
      log.append(warning)
      configuration.logger.warning("\(warning)")
    }
    let driver = SessionDriver(
      configuration: configuration, transport: try SessionTransport.make(for: configuration), functions: functions,
      deviceID: deviceID, hub: hub)
    mirror = UpdateMirror(hub.updates()) { [weak self] in self?.apply($0) }
    return driver
  }

  private func apply(_ update: ResolveKitRuntimeUpdate) {
    switch update {
    case .connection(let connection):
      connectionState = connection.state
      log.append("connection: \(connection.state.rawValue)" + (connection.reason.map { " (\($0))" } ?? ""))
      if connection.state == .failed || connection.state == .blocked { lastError = connection.reason }
    case .session(let id, let transport):
      session.enter(id)
      log.append("session \(id) over \(transport.rawValue)")
    case .forgotten(let id):
      log.append("the server no longer has session \(id)")
      transcript.forget(isTurnInProgress: isTurnInProgress)
    case .event(let event): log.append("event \(event.eventID): \(event.type)")
    case .skippedEvent, .delivery: break
    case .turnStarted(let requestID, let text):
      isTurnInProgress = true
      transcript.beginTurn(requestID: requestID, text: text)
    case .text(let turnID, let appended): transcript.append(appended, toAnswerOf: turnID)
    case .textCorrected(let turnID, let text): transcript.correctAnswer(of: turnID, to: text)
    case .batch(let batch): toolCalls.show(batch)
    case .approvalNeeded(let question): session.ask(question)
    case .approvalWithdrawn: session.ask(nil)
    case .tool(let callID, let name, let status): log.append("tool \(name) (\(callID)): \(status.name)")
    case .message(let message): transcript.show(message)
    case .escalated(let reason): session.escalate(reason)
    case .feedback(let isRequested): session.requestFeedback(isRequested)
    case .localized(let localization): words.show(localization)
    case .themed(let theme): chatTheme = theme
    case .note(let line): log.append(line)
    case .turn(let turn): end(turn)
    }
  }

  private func end(_ turn: ResolveKitFinishedTurn) {
    isTurnInProgress = false
    log.append("turn \(turn.turnID ?? "?"): \(turn.status.rawValue)")
    if turn.status == .failed { lastError = turn.reason }
  }
}
