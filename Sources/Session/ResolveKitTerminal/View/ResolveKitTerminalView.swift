import Foundation
import ResolveKitCore
import ResolveKitSession
public import ResolveKitUI
import StreamTransport

/// A chat on a terminal, in the place that `ResolveKitChatView` has on Apple's systems.
///
/// ``run(message:)`` starts the runtime, shows what happens, asks what must be asked, and ends with the conversation. The
/// answer goes to standard output, all else to standard error.
@MainActor
public final class ResolveKitTerminalView {
  /// The runtime that is shown; ``run(message:)`` starts and stops it.
  public let runtime: ResolveKitRuntime
  let configuration: ResolveKitTerminalConfiguration
  let screen: TerminalScreen
  let connection = ShownConnection()
  let turn = AwaitedTurn()
  let composer: MessageComposer
  private let approvals: ApprovalDialogue
  private var renderer: any UpdateRenderer
  private var mirror: UpdateMirror?
  /// The chat's words, once the server has given them.
  var localization: ResolveKitChatLocalization?
  private var isTimedOut = false
  /// Whether a person types turn after turn.
  private(set) var isDialogue = false
  private(set) var isLeaving = false
  /// Whether the next Ctrl-C quits.
  var isWarned = false

  /// Takes standard input, output and error; edits lines where these are a terminal.
  public convenience init(
    runtime: ResolveKitRuntime, configuration: ResolveKitTerminalConfiguration = ResolveKitTerminalConfiguration()
  ) {
    self.init(
      runtime: runtime, configuration: configuration, renderer: Self.renderer(configuration),
      input: Self.input(configuration))
  }

  package init(
    runtime: ResolveKitRuntime, configuration: ResolveKitTerminalConfiguration, renderer: any UpdateRenderer,
    input: any LineInput
  ) {
    self.runtime = runtime
    self.configuration = configuration
    screen = TerminalScreen(input: input, style: Self.style(configuration, on: STDERR_FILENO))
    composer = MessageComposer(input: input)
    approvals = ApprovalDialogue(runtime: runtime, screen: screen)
    self.renderer = renderer
  }

  private static func style(_ configuration: ResolveKitTerminalConfiguration, on descriptor: CInt) -> OutputStyle {
    OutputStyle(
      choice: configuration.color, isPlain: configuration.isPlain, descriptor: descriptor,
      environment: configuration.environment)
  }

  /// For a person who watches: the answer styled where standard output is a terminal, the rest where standard error is.
  package static func renderer(_ configuration: ResolveKitTerminalConfiguration) -> TerminalRenderer {
    TerminalRenderer(
      style: style(configuration, on: STDOUT_FILENO), statusStyle: style(configuration, on: STDERR_FILENO),
      columns: TerminalSize.columns)
  }

  /// The input for a configuration: an editor where there is a terminal to edit on, else whole lines.
  package static func input(_ configuration: ResolveKitTerminalConfiguration) -> any LineInput {
    TerminalInput.open(
      name: configuration.name, isPlain: configuration.isPlain, historyFile: configuration.historyFile,
      environment: configuration.environment)
  }

  /// Starts the runtime; answers one message, or holds a conversation until the person ends it; stops the runtime.
  public func run(message: String? = nil) async -> ResolveKitTerminalEnding {
    isDialogue = message == nil
    let signals = Task { await takeSignals() }
    defer { signals.cancel() }
    do {
      try await start()
    } catch {
      await finish()
      screen.write(TerminalOutput.statusLine("\(configuration.name): \(error)", style: .plain))
      return Self.ending(for: error)
    }
    // A session that was taken up again may be in the middle of an answer.
    if turn.isInProgress { _ = await turnEnded() }
    // The end of that answer may have been the connection's, which was shown: no other message is sent then.
    if message != nil, await runtime.isOver {
      await finish()
      return ending(of: turn.last)
    }
    if message != nil, renderer is TerminalRenderer { await showStatus() }
    guard let message else {
      let ending = await converse()
      await finish()
      return ending
    }
    let answered = await say(message)
    // The reason for the turn's end may come after it.
    await finish()
    return ending(of: answered)
  }

  /// Ends the conversation after the command that calls this.
  public func leave() { isLeaving = true }

  private func start() async throws {
    mirror = UpdateMirror(runtime.updates()) {
      self.take($0)
    } end: {
      self.connection.end()
      self.end(nil)
    }
    let timeout = configuration.connectTimeout
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { [runtime] in
        try await runtime.start()
        return true
      }
      group.addTask { [clock = configuration.clock] in
        try await clock.sleep(timeout)
        return false
      }
      defer { group.cancelAll() }
      if try await group.next() == false {
        await runtime.stop()
        throw ConnectTimeout(timeout: timeout, reason: connection.latest.reason)
      }
    }
    // All that came before the open connection is shown then, such as what was said in an earlier process.
    await connection.settled()
  }

  /// Returns once all that has happened is shown.
  func caughtUp() async { await mirror?.caughtUp() }

  /// Sends one message and waits for the end of its turn; nil when the runtime ended before.
  func say(_ text: String) async -> ResolveKitFinishedTurn? {
    turn.beginOwn()
    defer { turn.endOwn() }
    await runtime.sendMessage(text)
    return await turnEnded()
  }

  /// Takes up the last message again and waits for the end of its turn; false where there is nothing to take up.
  func sayAgain() async -> (isBegun: Bool, turn: ResolveKitFinishedTurn?) {
    turn.beginOwn()
    defer { turn.endOwn() }
    guard await runtime.retryMessage() else {
      turn.withdraw()
      return (false, nil)
    }
    return (true, await turnEnded())
  }

  /// Waits for the end of the turn that is in progress.
  func turnEnded() async -> ResolveKitFinishedTurn? {
    let alarm = configuration.turnTimeout.map { timeout in
      Task { [runtime, clock = configuration.clock] in
        guard (try? await clock.sleep(timeout)) != nil else { return }
        self.screen.write(.status("\(configuration.name): no end of the turn within \(timeout)\n"))
        self.isTimedOut = true
        await runtime.cancelTurn()
      }
    }
    defer { alarm?.cancel() }
    return await turn.waitForEnd()
  }

  /// Ends everything, with the last lines written.
  private func finish() async {
    await runtime.finish()
    await mirror?.ended()
  }

  /// The meaning of a turn's end for the whole.
  func ending(of turn: ResolveKitFinishedTurn?) -> ResolveKitTerminalEnding {
    switch turn?.status {
    case .complete: .done
    case .failed, nil: connection.wasBlocked ? .blocked : turn == nil ? .cannotConnect : .turnFailed
    case .cancelled: isTimedOut ? .turnFailed : .interrupted
    }
  }

  private static func ending(for error: any Error) -> ResolveKitTerminalEnding {
    switch error {
    case let error as ResolveKitStartError: error.isBlocked ? .blocked : .cannotConnect
    case let error as TransportError where error.code == .invalidRequest: .misconfigured
    default: .cannotConnect
    }
  }

  private func take(_ update: ResolveKitRuntimeUpdate) {
    for output in renderer.render(update) { screen.write(output) }
    switch update {
    case .connection(let new): connection.take(new)
    case .session(let id, _): connection.enterSession(id)
    case .approvalNeeded(let request): approvals.ask(about: request)
    case .approvalWithdrawn: approvals.withdraw()
    case .delivery(_, _, let delivery): turn.report(delivery)
    case .turnStarted(_, let text):
      turn.start()
      // One of an earlier process: what was asked stands above its answer.
      if !turn.isOwn, renderer is TerminalRenderer { screen.write(.status("[you]\n" + TerminalText.safe(text) + "\n")) }
    case .turn(let ended): end(ended)
    case .localized(let words): showTitle(words)
    case .event, .skippedEvent, .text, .textCorrected, .batch, .tool, .message, .escalated, .feedback, .themed, .note,
      .forgotten:
      break
    }
  }

  private func end(_ ended: ResolveKitFinishedTurn?) {
    approvals.withdraw()
    turn.end(ended)
  }
}

/// No connection within the time that was given.
struct ConnectTimeout: Error, CustomStringConvertible {
  var timeout: Duration
  var reason: String?

  var description: String {
    "No connection within \(timeout)" + (reason.map { ": \($0)" } ?? ".")
  }
}
