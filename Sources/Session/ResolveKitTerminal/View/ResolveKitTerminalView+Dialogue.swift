import Foundation
import ResolveKitCore
import ResolveKitSession
import ResolveKitUI
import StreamTransport

/// Turn after turn, at a prompt.
extension ResolveKitTerminalView {
  /// Characters; a prompt must leave room for the message.
  private static let longestPlaceholder = 24

  func converse() async -> ResolveKitTerminalEnding {
    if delivery != nil { tell("/retry \(retryEffect)") }
    while !isLeaving {
      await showStatus()
      switch await message() {
      case .overtaken: continue
      case .interrupted where isWarned: return .interrupted
      case .interrupted, .dropped:
        isWarned = true
        tell("Ctrl-C again quits")
        continue
      case .end: return isOver ? (connection.state == .blocked ? .blocked : .cannotConnect) : .done
      case .line(let line):
        isWarned = false
        await perform(TypedLine(line))
      }
      if connection.state == .blocked { return .blocked }
    }
    return .done
  }

  /// The server's text for an empty composer; empty where it has none.
  private var placeholder: String {
    let words = TerminalText.line(localization?.messagePlaceholder ?? "").trimmed
    return words.count <= Self.longestPlaceholder ? words : ""
  }

  /// The chat's heading, once for each that the server gives.
  func showTitle(_ new: ResolveKitChatLocalization) {
    let title = TerminalText.line(new.chatTitle).trimmed
    if isDialogue, !title.isEmpty, title != localization?.chatTitle {
      write(.status((statusStyle == .styled ? TextStyle.bold.applied(to: title) : title) + "\n"))
    }
    localization = new
  }

  private func message() async -> LineAnswer {
    while true {
      let prompt = LinePrompt(draft.isContinued ? "… " : "\(placeholder)> ", for: .message)
      isPrompting = true
      let answer = await input.line(prompt)
      isPrompting = false
      switch answer {
      case .line(let line):
        if let message = draft.take(line) { return .line(message) }
      case .overtaken: return answer
      case .end, .interrupted, .dropped:
        draft.discard()
        return answer
      }
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
      guard let command = commands.first(where: { $0.name == name }) else {
        return tell("there is no command /\(name); see /help, or send it with a space before the /")
      }
      let columns = columns
      for line in await command.action(self, argument) {
        let lines = TerminalWrap.lines(TerminalText.line(line), width: columns)
        write(.status(lines.map { $0 + "\n" }.joined()))
      }
    }
  }

  /// Of the terminal that lines are written to; without one they are not broken.
  var columns: Int { isatty(STDERR_FILENO) == 1 ? TerminalSize.columns() : .max }

  /// Sends a message and waits for its turn's end, over a new connection if the last one was given up.
  func send(_ typed: String) async {
    let text = attachments.message(typed)
    let bytes = text.utf8.count
    guard bytes <= MessageSendRequest.maximumTextBytes else {
      return tell(
        "the message has \(bytes) bytes, and \(MessageSendRequest.maximumTextBytes) are the most; it was not sent")
    }
    if isOver {
      do { try await runtime.start() } catch { return tell("not sent: \(error)") }
    }
    attachments.removeAll()
    tellHowToRetry(after: await say(text))
  }

  func tellHowToRetry(after turn: ResolveKitFinishedTurn?) {
    if turn?.status != .complete, !isOver { tell("/retry \(retryEffect)") }
    if connection.state == .failed { tell("the connection was given up; /retry connects and \(retryEffect)") }
  }

  private var retryEffect: String {
    delivery == .unknown ? "asks whether the message arrived, and sends it only if not" : "sends the message again"
  }

  /// Tells the connection when there is news of it.
  func showStatus() async {
    let status = TerminalStatus(connection, await runtime.connectionSnapshot())
    guard status.isNews(after: shownStatus) else { return }
    shownStatus = status
    write(TerminalOutput.statusLine(status.line, style: statusStyle))
  }

  // MARK: Signals

  func takeSignals() async {
    guard let signals = TerminalSignal.arrivals() else { return }
    for await signal in signals {
      switch signal {
      case .interrupt:
        if isPrompting {
          input.interrupt()
        } else if isTurnInProgress, !isWarned {
          isWarned = true
          await runtime.cancelTurn()
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
