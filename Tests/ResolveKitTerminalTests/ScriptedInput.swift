import ResolveKitTerminal
import Synchronization

/// A person who types these lines, one at each question, and then ends the input.
final class ScriptedInput: LineInput {
  private struct State {
    var lines: [LineAnswer]
    var prompts: [LinePrompt] = []
    var remembered: [String] = []
    var output = ""
  }

  private let state: Mutex<State>
  private let onPrompt: @Sendable @MainActor (Int) async -> Void

  /// - Parameter onPrompt: what happens at each question before its answer; with its number, from 1.
  init(_ lines: [String], onPrompt: @escaping @Sendable @MainActor (Int) async -> Void = { _ in }) {
    self.onPrompt = onPrompt
    state = Mutex(
      State(
        lines: lines.map { line in
          switch line {
          case "^C": .interrupted
          case "^overtaken": .overtaken
          case _ where line.hasSuffix("^C"): .dropped
          default: .line(line)
          }
        }))
  }

  var prompts: [LinePrompt] { state.withLock { $0.prompts } }
  var remembered: [String] { state.withLock { $0.remembered } }
  /// All that was written, to both outputs.
  var output: String { state.withLock { $0.output } }

  func line(_ prompt: LinePrompt) async -> LineAnswer {
    let (answer, number) = state.withLock { state in
      state.prompts.append(prompt)
      return (state.lines.isEmpty ? .end : state.lines.removeFirst(), state.prompts.count)
    }
    await onPrompt(number)
    return answer
  }

  func withdraw() {}
  func interrupt() {}
  func remember(_ message: String) { state.withLock { $0.remembered.append(message) } }
  func write(_ output: TerminalOutput) { state.withLock { $0.output += output.text } }
  func terminalChanged(_ change: TerminalChange) {}
}
