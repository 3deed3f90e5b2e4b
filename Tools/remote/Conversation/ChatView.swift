import ArgumentParser
import CodexRemoteClient
import Foundation
import ResolveKitCore
import TerminalIO

/// A chat on a terminal, or for a program: what happens is written, what is typed is done, what is asked is answered.
@MainActor
final class ChatView {
  let chat: RemoteChat
  let input: any LineInput
  private let answers: AnswerRule
  /// Whether a person is there to be asked.
  private let isInteractive: Bool
  private var renderer: any ChatRenderer
  private let statusStyle: OutputStyle
  private var sent: Set<String> = []
  private var approvals: [RemoteApproval] = []
  /// Questions that were answered here, whose end is not reported yet.
  private var answered: Set<String> = []
  private var outcome = ScriptOutcome()
  private var patience: ConnectionPatience
  private var asked: String?
  private var prompting: Task<LineAnswer, Never>?
  private var draft = MessageDraft()
  private var isWarned = false
  private var isStopping = false
  /// The reason for which the chat was closed by the companion.
  private var closed: RemoteError.Code?
  var isLeaving = false
  private let bell = UpdateBell()

  init(
    chat: RemoteChat, input: any LineInput, renderer: any ChatRenderer, statusStyle: OutputStyle, answers: AnswerRule,
    isInteractive: Bool, patience: Duration
  ) {
    self.chat = chat
    self.input = input
    self.renderer = renderer
    self.statusStyle = statusStyle
    self.answers = answers
    self.isInteractive = isInteractive
    self.patience = ConnectionPatience(patience)
  }

  /// Holds the chat until the person leaves, or the input ends, the chat was shown, and nothing is under way any more.
  /// Throws where a program waits for the chat in vain.
  ///
  /// - Parameters:
  ///   - messages: are sent first.
  ///   - follows: whether to stay when the input has ended.
  func run(messages: [String], follows: Bool) async throws(RemoteError) -> ExitCode {
    let signals = Task { await takeSignals() }
    let updates = chat.updates()
    let pump = Task { for await update in updates { await take(update) } }
    await chat.open()
    for message in messages { await send(message) }
    let ending: Result<ExitCode?, RemoteError>
    do { ending = .success(try await converse(follows: follows)) } catch { ending = .failure(error) }
    await chat.close()
    await pump.value
    for message in await chat.currentState().unsent { await take(.message(message)) }
    signals.cancel()
    let failure = isInteractive ? closed : outcome.failure
    return try ending.get() ?? failure.map { ExitCode($0) } ?? .success
  }

  func write(_ output: TerminalOutput) { input.write(output) }

  func note(_ words: String) { write(TerminalOutput.statusLine("[\(words)]", style: statusStyle)) }

  /// Sends a message; returns its id.
  @discardableResult
  func send(_ text: String) async -> String {
    let id = await chat.send(text)
    sent.insert(id)
    return id
  }

  // MARK: Updates

  private func take(_ update: RemoteUpdate) async {
    let sent = sent
    outcome.take(update, isOwn: sent.contains)
    for output in renderer.render(update, isOwn: sent.contains) where !isOwnEnd(update) { write(output) }
    switch update {
    case .loaded:
      approvals = []
      reconsider()
    case .resynchronized:
      approvals = await chat.currentState().approvals
      reconsider()
    case .approvalNeeded(let approval):
      approvals.append(approval)
      await decideUnasked(approval)
      reconsider()
    case .approvalGone(let id, _):
      approvals.removeAll { $0.id == id }
      answered.remove(id)
      reconsider()
    case .decisionRefused(let id, _):
      answered.remove(id)
      reconsider()
    case .turnEnded: isStopping = false
    case .link(.closed(let code, _)):
      closed = code
      withdraw()
    case .earlier, .link, .turnStarted, .turnContinues, .entry, .text, .message, .notice: break
    }
    bell.ring()
  }

  /// A person knows of an answer that was given here.
  private func isOwnEnd(_ update: RemoteUpdate) -> Bool {
    guard isInteractive, case .approvalGone(let id, _) = update else { return false }
    return answered.contains(id)
  }

  private func decideUnasked(_ approval: RemoteApproval) async {
    guard let decision = answers.decision(on: approval) else { return }
    if answers == .all, decision == .decline { note("a form cannot be filled in by --approve all; it is declined") }
    await decide(approval.id, decision)
  }

  func decide(_ id: String, _ decision: RemoteDecision, content: JSONObject? = nil) async {
    answered.insert(id)
    await chat.decide(id, decision, content: content)
  }

  // MARK: Dialogue

  /// The question to ask now.
  private var due: RemoteApproval? {
    guard isInteractive, answers == .ask else { return nil }
    return approvals.first { !answered.contains($0.id) }
  }

  /// The prompt gives way where another question is due than the one on the screen.
  private func reconsider() {
    if prompting != nil, due?.id != asked { withdraw() }
  }

  /// Takes the prompt back, also one that the input has not come to yet.
  private func withdraw() {
    prompting?.cancel()
    input.withdraw()
  }

  /// Returns the exit code where it is not the outcome's.
  private func converse(follows: Bool) async throws(RemoteError) -> ExitCode? {
    // A program's first command finds the chat as it is.
    if !isInteractive { try await wait { $0.isCurrent } }
    while !isLeaving, closed == nil {
      if let approval = due {
        await ask(approval)
        continue
      }
      let sign = draft.isContinued ? "… " : "> "
      switch await prompt(LinePrompt(isInteractive ? sign : "", for: .message), about: nil) {
      case .overtaken: continue
      case .interrupted where isWarned: return .interrupted
      case .interrupted, .dropped:
        draft.discard()
        isWarned = true
        note("Ctrl-C again leaves; the turn continues without this program")
      case .end:
        if follows {
          while closed == nil { await bell.wait(after: bell.count) }
        } else if !isInteractive {
          try await wait { $0.isCurrent && !$0.isBusy }
        }
        return nil
      case .line(let line):
        isWarned = false
        // A program's lines are messages as they are.
        if let message = isInteractive ? draft.take(line) : line { await perform(TypedLine(message)) }
      }
    }
    return nil
  }

  private func prompt(_ prompt: LinePrompt, about id: String?) async -> LineAnswer {
    let prompting = Task { [input] in await input.line(prompt) }
    self.prompting = prompting
    asked = id
    defer {
      self.prompting = nil
      asked = nil
    }
    return await prompting.value
  }

  private func ask(_ approval: RemoteApproval) async {
    let question = RemoteQuestion(approval)
    write(.status(question.text()))
    while due?.id == approval.id {
      switch await prompt(LinePrompt(question.prompt, for: .decision), about: approval.id) {
      case .overtaken: return
      case .interrupted, .dropped: note("y, n, or /stop to end the turn")
      case .end:
        isLeaving = true
        return
      case .line(let line):
        if approval.allowsCancel, ["c", "cancel"].contains(line.trimmed.lowercased()) {
          return await decide(approval.id, .cancel)
        }
        switch TypedApproval(typed: line) {
        case .once?:
          switch approval.answering {
          case .yes: return await decide(approval.id, .approve)
          case .form(let form): await fill(in: form, of: approval)
          case .impossible(let reason): note(TerminalText.line(reason))
          }
        case .session?: return await decide(approval.id, .allowForSession)
        case .always?: return await decide(approval.id, .allowAlways)
        case .no?: return await decide(approval.id, .decline)
        case .view?: write(.status(question.text(isWhole: true)))
        case .never?: note("'companion approvals deny' decides that permanently; n declines this once")
        case nil:
          if line.hasPrefix("/") { await perform(TypedLine(line)) }
        }
      }
      if isLeaving { return }
    }
  }

  private func fill(in form: RemoteForm, of approval: RemoteApproval) async {
    let dialogue = FormDialogue(
      form, ask: { await self.prompt(LinePrompt($0, for: .decision), about: approval.id) },
      write: { self.write(.status($0)) })
    switch await dialogue.run() {
    case .content(let content): await decide(approval.id, .approve, content: content)
    case .givenUp: note("nothing is sent")
    case .overtaken: return
    case .end: isLeaving = true
    }
  }

  private func perform(_ line: TypedLine) async {
    switch line {
    case .message(let text):
      guard !text.trimmed.isEmpty else { return }
      input.remember(text)
      await send(text)
    case .command(let name, let argument):
      input.remember("/\(name)" + (argument.isEmpty ? "" : " \(argument)"))
      let reply = await ChatCommands(self).perform(name, argument)
      if let failure = reply.failure { outcome.failed(failure.code) }
      for output in renderer.render(reply, of: name) { write(output) }
    }
  }

  // MARK: Waiting

  /// Returns once the chat is so, or closed. Throws where there was no connection for longer than one is waited for.
  private func wait(until isSo: (RemoteChatState) -> Bool) async throws(RemoteError) {
    while closed == nil {
      let seen = bell.count
      let state = await chat.currentState()
      guard !isSo(state) else { return }
      let due = patience.deadline(state, at: .now)
      if let due, due <= .now { throw patience.failure }
      await bell.wait(after: seen, until: due)
    }
  }

  // MARK: Signals

  /// Interrupts the turn that runs; whether one did. Throws `RemoteError`.
  func stop() async throws -> Bool {
    outcome.stopped()
    return try await chat.stop()
  }

  private func takeSignals() async {
    guard let signals = TerminalSignal.arrivals() else { return }
    for await signal in signals {
      switch signal {
      case .interrupt:
        if !isStopping, await chat.currentState().runningTurnID != nil {
          isStopping = true
          Task { do { note(try await stop() ? "stopped" : "no turn runs") } catch { note("not stopped: \(error)") } }
        } else if isInteractive {
          input.interrupt()
        } else {
          exit(130)
        }
      case .resize: input.terminalChanged(.resized)
      case .stop:
        input.terminalChanged(.suspending)
        TerminalSignal.stopProcess()
        input.terminalChanged(.resumed)
      case .resume: input.terminalChanged(.resumed)
      }
    }
  }
}
