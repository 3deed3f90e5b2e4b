import Foundation
import ResolveKitCore
import ResolveKitSession
import ResolveKitUI
import StreamTransport

/// Turn after turn, at a prompt.
extension ResolveKitTerminalView {
  func converse() async -> ResolveKitTerminalEnding {
    if turn.delivery != nil { screen.note("/retry \(retryEffect)") }
    while !isLeaving {
      await showStatus()
      switch await composer.typedMessage(placeholder: localization?.messagePlaceholder) {
      case .overtaken: continue
      case .interrupted where isWarned: return .interrupted
      case .interrupted, .dropped:
        isWarned = true
        screen.note("Ctrl-C again quits")
        continue
      case .end: return connection.isOver ? (connection.latest.state == .blocked ? .blocked : .cannotConnect) : .done
      case .line(let line):
        isWarned = false
        await perform(TypedLine(line))
      }
      if connection.latest.state == .blocked { return .blocked }
    }
    return .done
  }

  /// The chat's heading, once for each that the server gives.
  func showTitle(_ new: ResolveKitChatLocalization) {
    let title = TerminalText.line(new.chatTitle).trimmed
    if isDialogue, !title.isEmpty, title != localization?.chatTitle {
      screen.write(.status((screen.style == .styled ? TextStyle.bold.applied(to: title) : title) + "\n"))
    }
    localization = new
  }

  private func perform(_ line: TypedLine) async {
    switch line {
    case .message(let text):
      guard !text.trimmed.isEmpty else { return }
      screen.input.remember(text)
      await send(text)
    case .command(let name, let argument):
      screen.input.remember("/\(name)" + (argument.isEmpty ? "" : " \(argument)"))
      guard let command = commands.first(where: { $0.name == name }) else {
        return screen.note("there is no command /\(name); see /help, or send it with a space before the /")
      }
      let columns = screen.columns
      for line in await command.action(self, argument) {
        let lines = TerminalWrap.lines(TerminalText.line(line), width: columns)
        screen.write(.status(lines.map { $0 + "\n" }.joined()))
      }
    }
  }

  /// Sends a message and waits for its turn's end, over a new connection if the last one was given up.
  func send(_ typed: String) async {
    let text = composer.message(typed)
    let bytes = text.utf8.count
    guard bytes <= MessageSendRequest.maximumTextBytes else {
      return screen.note(
        "the message has \(bytes) bytes, and \(MessageSendRequest.maximumTextBytes) are the most; it was not sent")
    }
    if connection.isOver {
      do { try await runtime.start() } catch { return screen.note("not sent: \(error)") }
    }
    composer.removeAttachments()
    tellHowToRetry(after: await say(text))
  }

  func tellHowToRetry(after turn: ResolveKitFinishedTurn?) {
    if turn?.status != .complete, !connection.isOver { screen.note("/retry \(retryEffect)") }
    if connection.latest.state == .failed {
      screen.note("the connection was given up; /retry connects and \(retryEffect)")
    }
  }

  private var retryEffect: String {
    turn.delivery == .unknown ? "asks whether the message arrived, and sends it only if not" : "sends the message again"
  }

  /// Shows the connection's status when it has changed.
  func showStatus() async {
    guard let status = connection.news(await runtime.connectionSnapshot()) else { return }
    screen.write(line: status.line)
  }

  // MARK: Signals

  func takeSignals() async {
    guard let signals = TerminalSignal.arrivals() else { return }
    for await signal in signals {
      switch signal {
      case .interrupt:
        if composer.isPrompting {
          screen.input.interrupt()
        } else if turn.isInProgress, !isWarned {
          isWarned = true
          await runtime.cancelTurn()
        } else {
          exit(130)
        }
      case .resize: screen.input.terminalChanged(.resized)
      case .stop:
        screen.input.terminalChanged(.suspending)
        TerminalSignal.stopProcess()
        screen.input.terminalChanged(.resumed)
      case .resume: screen.input.terminalChanged(.resumed)
      }
    }
  }
}
