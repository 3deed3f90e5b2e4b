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
  public private(set) var messages: [ResolveKitChatMessage] = []
  /// The state of the session's event stream.
  public private(set) var connectionState: ResolveKitConnectionState = .idle
  /// Whether the agent is at work on a message.
  public private(set) var isTurnInProgress = false
  /// The question that waits for a person's decision, nil if none does. Calls that are decided on, out of time or of a turn
  /// that has ended leave it, and what was decided for it with them counts no more.
  public private(set) var pendingApproval: ResolveKitApprovalRequest?
  /// The newest batch's calls.
  public private(set) var toolCallChecklist: [ToolCallChecklistItem] = []
  /// The newest batch's state.
  public private(set) var toolCallBatchState: ResolveKitToolCallBatchState = .idle
  /// The newest 128 batches, oldest first.
  public private(set) var toolCallBatches: [ToolCallChecklistBatch] = []
  /// The newest 512 lines on what happened, oldest first.
  public private(set) var executionLog: [String] = []
  /// The last error that nothing but a person can mend, nil if there was none.
  public private(set) var lastError: String?
  /// The chat's colours: the server's once they have come, else the default ones.
  public private(set) var chatTheme = ResolveKitChatTheme.default
  /// Which of the theme's palettes a view shows.
  public private(set) var appearanceMode = ResolveKitAppearanceMode.system
  /// The locale of outgoing messages and of the chat's words as a BCP 47 tag.
  public private(set) var currentLocale: String
  /// The chat's heading.
  public private(set) var chatTitle = ResolveKitChatLocalization.english.chatTitle
  /// The text of an empty composer.
  public private(set) var messagePlaceholder = ResolveKitChatLocalization.english.messagePlaceholder
  /// Whether a person has taken over.
  public private(set) var isEscalated = false
  /// The reason for a person's takeover; nil while there is none.
  public private(set) var escalationReason: String?
  /// Whether the server waits for ``submitFeedback(rating:comment:)`` or ``dismissFeedbackRequest()``.
  public private(set) var pendingFeedbackRequest = false

  /// The settings that the runtime was created with.
  @ObservationIgnored public let configuration: ResolveKitConfiguration
  @ObservationIgnored private let deviceID: String
  @ObservationIgnored let hub = UpdateHub()
  @ObservationIgnored private(set) var driver: SessionDriver?
  @ObservationIgnored private var mirror: Task<Void, Never>?
  @ObservationIgnored private var mirrored: ResolveKitRuntimeUpdates?
  @ObservationIgnored private var isFinished = false
  /// The messages of a session that the server no longer has.
  @ObservationIgnored private(set) var forgottenMessages: [ResolveKitChatMessage] = []
  @ObservationIgnored private var sessionID: String?

  /// Creates a runtime that is idle; nothing is sent before ``start()``.
  ///
  /// Reads the device's id from the user's state folder, and makes one there where it is missing.
  public init(configuration: ResolveKitConfiguration) {
    self.configuration = configuration
    deviceID = DeviceIdentity(folder: configuration.stateFolder, logger: configuration.logger).resolve(configuration)
    currentLocale = configuration.resolvedLocale(nil)
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
    await mirror?.value
  }

  /// Starts a new session and clears the transcript, with all that belongs to the old session: its turn ends first, so
  /// that nothing of it is shown in the new one.
  public func reloadWithNewSession() async {
    await driver?.stop()
    await caughtUp()
    messages = []
    toolCallChecklist = []
    toolCallBatchState = .idle
    toolCallBatches = []
    forgottenMessages = []
    lastError = nil
    forgetSession()
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

  /// Which of the theme's palettes a view shows from now on.
  public func setAppearance(_ mode: ResolveKitAppearanceMode) {
    appearanceMode = mode
  }

  /// Another locale for the rest of the conversation as a BCP 47 tag; nil goes back to the configuration's.
  ///
  /// ``chatTitle`` and ``messagePlaceholder`` follow when the server has given its words; where it has none, they stay.
  public func setLocale(_ locale: String?) async {
    currentLocale = configuration.resolvedLocale(locale)
    await driver?.useLocale(locale)
    await caughtUp()
  }

  /// Rates the session, from 1 to 5, with a comment of at most 2 000 characters. A session is rated once.
  ///
  /// Returns whether the server has the rating; why not is in ``executionLog``.
  @discardableResult
  public func submitFeedback(rating: Int, comment: String? = nil) async -> Bool {
    pendingFeedbackRequest = false
    do {
      guard let driver else {
        throw ResolveKitStartError(isBlocked: false, message: "There is no session to rate; start the runtime first.")
      }
      try await driver.submitFeedback(ResolveKitFeedbackRequest(rating: rating, comment: comment))
      return true
    } catch {
      log("feedback was not taken: \(error)")
      return false
    }
  }

  /// Continues without a rating; only an operator's request comes after this one.
  public func dismissFeedbackRequest() {
    pendingFeedbackRequest = false
    Task { [driver] in await driver?.dismissFeedback() }
  }

  /// Returns once the properties show all that has happened before this call.
  func caughtUp() async { await mirrored?.caughtUp() }

  private func makeDriver() throws -> SessionDriver {
    let functions = try FunctionSet(
      functions: configuration.functions, packs: configuration.functionPacks, platform: configuration.platform,
      availability: configuration.availability)
    for warning in functions.warnings {
      log(warning)
      configuration.logger.warning("\(warning)")
    }
    let driver = SessionDriver(
      configuration: configuration, transport: try SessionTransport.make(for: configuration), functions: functions,
      deviceID: deviceID, hub: hub)
    let updates = hub.updates()
    mirrored = updates
    mirror = Task { [weak self] in
      for await update in updates { self?.apply(update) }
    }
    return driver
  }

  private func apply(_ update: ResolveKitRuntimeUpdate) {
    switch update {
    case .connection(let connection):
      connectionState = connection.state
      log("connection: \(connection.state.rawValue)" + (connection.reason.map { " (\($0))" } ?? ""))
      if connection.state == .failed || connection.state == .blocked { lastError = connection.reason }
    case .session(let id, let transport):
      if id != sessionID { forgetSession() }
      sessionID = id
      log("session \(id) over \(transport.rawValue)")
    case .forgotten(let id):
      log("the server no longer has session \(id)")
      // A message that waits for its turn goes to the new session itself.
      forgottenMessages = isTurnInProgress && messages.last?.role == .user ? messages.dropLast() : messages
    case .event(let event): log("event \(event.eventID): \(event.type)")
    case .skippedEvent, .delivery: break
    case .turnStarted(let requestID, let text):
      isTurnInProgress = true
      // A turn that ended with a connection, and continues with the next one, has its message here already.
      guard !messages.contains(where: { $0.id == requestID }) else { return }
      messages.add(ResolveKitChatMessage(id: requestID, role: .user, text: text))
    case .text(let turnID, let appended): messages.changeAnswer(of: turnID) { $0 += appended }
    case .textCorrected(let turnID, let text): messages.changeAnswer(of: turnID) { $0 = text }
    case .batch(let batch): show(batch)
    case .approvalNeeded(let question): pendingApproval = question
    case .approvalWithdrawn: pendingApproval = nil
    case .tool(let callID, let name, let status): log("tool \(name) (\(callID)): \(status.name)")
    case .message(let message): messages.show(message)
    case .escalated(let reason):
      isEscalated = true
      escalationReason = reason
    case .feedback(let isRequested): pendingFeedbackRequest = isRequested
    case .localized(let localization): show(localization)
    case .themed(let theme): chatTheme = theme
    case .note(let line): log(line)
    case .turn(let turn): end(turn)
    }
  }

  private func show(_ localization: ResolveKitChatLocalization) {
    currentLocale = localization.locale
    chatTitle = localization.chatTitle
    messagePlaceholder = localization.messagePlaceholder
  }

  private func forgetSession() {
    sessionID = nil
    pendingApproval = nil
    isEscalated = false
    escalationReason = nil
    pendingFeedbackRequest = false
  }

  private func show(_ batch: ToolCallChecklistBatch) {
    toolCallChecklist = batch.items
    toolCallBatchState = batch.state
    if let index = toolCallBatches.firstIndex(where: { $0.id == batch.id }) {
      toolCallBatches[index] = batch
    } else {
      toolCallBatches = toolCallBatches.suffix(127) + [batch]
    }
  }

  private func end(_ turn: ResolveKitFinishedTurn) {
    isTurnInProgress = false
    log("turn \(turn.turnID ?? "?"): \(turn.status.rawValue)")
    if turn.status == .failed { lastError = turn.reason }
  }

  private func log(_ line: String) {
    executionLog = executionLog.suffix(511) + [line]
  }
}
