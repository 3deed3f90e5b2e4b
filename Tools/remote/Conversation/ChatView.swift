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
  private var asked: String?
  private var isPrompting = false
  private var draft = MessageDraft()
  private var isWarned = false
  private var isStopping = false
  private var isClosed = false
  var isLeaving = false
  /// Counts the updates that were taken.
  private var revision = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(
    chat: RemoteChat, input: any LineInput, renderer: any ChatRenderer, statusStyle: OutputStyle, answers: AnswerRule,
    isInteractive: Bool
  ) {
    self.chat = chat
    self.input = input
    self.renderer = renderer
    self.statusStyle = statusStyle
    self.answers = answers
    self.isInteractive = isInteractive
  }

  /// Holds the chat until the person leaves, or the input ends and nothing is under way any more.
  ///
  /// - Parameters:
  ///   - messages: are sent first.
  ///   - follows: whether to stay when the input has ended.
  func run(messages: [String], follows: Bool) async -> Int32 {
    let signals = Task { await takeSignals() }
    let updates = chat.updates()
    let pump = Task { for await update in updates { await take(update) } }
    await chat.open()
    for message in messages { await send(message) }
    let status = await converse(follows: follows)
    await chat.close()
    await pump.value
    signals.cancel()
    return status
  }

  func write(_ output: TerminalOutput) { input.write(output) }

  func tell(_ words: String) { write(TerminalOutput.statusLine("[\(words)]", style: statusStyle)) }

  /// Sends a message.
  func send(_ text: String) async { sent.insert(await chat.send(text)) }

  /// Shows all entries that are held.
  func showHistory() async {
    let state = await chat.currentState()
    if state.hasEarlier { tell("there is more before this; /earlier shows it") }
    for entry in state.entries {
      for output in renderer.render(.loaded([entry]), isOwn: { _ in false }) { write(output) }
    }
  }

  // MARK: Updates

  private func take(_ update: RemoteUpdate) async {
    let sent = sent
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
    case .link(.closed):
      isClosed = true
      input.withdraw()
    case .earlier, .link, .turnStarted, .entry, .text, .message, .notice: break
    }
    revision += 1
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// A person knows of an answer that was given here.
  private func isOwnEnd(_ update: RemoteUpdate) -> Bool {
    guard isInteractive, case .approvalGone(let id, _) = update else { return false }
    return answered.contains(id)
  }

  private func decideUnasked(_ approval: RemoteApproval) async {
    switch answers {
    case .ask: return
    case .all:
      if case .yes = approval.answering { return await decide(approval.id, .approve) }
      tell("a form cannot be filled in by --approve all; it is declined")
      await decide(approval.id, .decline)
    case .none: await decide(approval.id, .decline)
    }
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
    guard isPrompting, due?.id != asked else { return }
    input.withdraw()
  }

  private func converse(follows: Bool) async -> Int32 {
    while !isLeaving, !isClosed {
      if let approval = due {
        await ask(approval)
        continue
      }
      let sign = draft.isContinued ? "… " : "> "
      switch await prompt(LinePrompt(isInteractive ? sign : "", for: .message), about: nil) {
      case .overtaken: continue
      case .interrupted where isWarned: return 130
      case .interrupted, .dropped:
        draft.discard()
        isWarned = true
        tell("Ctrl-C again leaves; the turn continues without this program")
      case .end:
        if follows { while !isClosed { await update(after: revision) } } else { await becomeIdle() }
        return isClosed ? 1 : 0
      case .line(let line):
        isWarned = false
        // A program's lines are messages as they are.
        if let message = isInteractive ? draft.take(line) : line { await perform(TypedLine(message)) }
      }
    }
    return isClosed ? 1 : 0
  }

  private func prompt(_ prompt: LinePrompt, about id: String?) async -> LineAnswer {
    isPrompting = true
    asked = id
    defer {
      isPrompting = false
      asked = nil
    }
    return await input.line(prompt)
  }

  private func ask(_ approval: RemoteApproval) async {
    let question = RemoteQuestion(approval)
    write(.status(question.text()))
    while due?.id == approval.id {
      switch await prompt(LinePrompt(question.prompt, for: .decision), about: approval.id) {
      case .overtaken: return
      case .interrupted, .dropped: tell("y, n, or /stop to end the turn")
      case .end:
        isLeaving = true
        return
      case .line(let line):
        if approval.allowsCancel, ["c", "cancel"].contains(line.trimmed.lowercased()) {
          return await decide(approval.id, .cancel)
        }
        switch ApprovalAnswer(typed: line) {
        case .once?:
          switch approval.answering {
          case .yes: return await decide(approval.id, .approve)
          case .form(let form): await fill(in: form, of: approval)
          case .impossible(let reason): tell(TerminalText.line(reason))
          }
        case .session?: return await decide(approval.id, .allowForSession)
        case .always?: return await decide(approval.id, .allowAlways)
        case .no?: return await decide(approval.id, .decline)
        case .view?: write(.status(question.text(isWhole: true)))
        case .never?: tell("'companion approvals deny' decides that for good; n declines this once")
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
    case .givenUp: tell("nothing is sent")
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
      for line in await ChatCommands(self).perform(name, argument) {
        write(.status(TerminalText.line(line) + "\n"))
      }
    }
  }

  // MARK: Waiting

  /// Returns once an update was taken that is not among the first so many.
  private func update(after seen: Int) async {
    guard !isClosed, revision == seen else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  private func becomeIdle() async {
    while !isClosed {
      let seen = revision
      guard await chat.currentState().isBusy else { return }
      await update(after: seen)
    }
  }

  // MARK: Signals

  /// Interrupts the turn that runs.
  func stop() async -> String {
    do {
      return try await chat.stop() ? "stopped" : "no turn runs"
    } catch {
      return "not stopped: \(error)"
    }
  }

  private func takeSignals() async {
    guard let signals = TerminalSignal.arrivals() else { return }
    for await signal in signals {
      switch signal {
      case .interrupt:
        if !isStopping, await chat.currentState().runningTurnID != nil {
          isStopping = true
          Task { tell(await stop()) }
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
