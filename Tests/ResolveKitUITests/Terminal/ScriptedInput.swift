import ResolveKitUI
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

  init(_ lines: [String]) {
    state = Mutex(
      State(lines: lines.map { $0 == "^C" ? .interrupted : $0.hasSuffix("^C") ? .dropped : .line($0) }))
  }

  var prompts: [LinePrompt] { state.withLock { $0.prompts } }
  var remembered: [String] { state.withLock { $0.remembered } }
  /// All that was written, to both outputs.
  var output: String { state.withLock { $0.output } }

  func line(_ prompt: LinePrompt) async -> LineAnswer {
    state.withLock { state in
      state.prompts.append(prompt)
      return state.lines.isEmpty ? .end : state.lines.removeFirst()
    }
  }

  func withdraw() {}
  func interrupt() {}
  func remember(_ message: String) { state.withLock { $0.remembered.append(message) } }
  func write(_ output: TerminalOutput) { state.withLock { $0.output += output.text } }
  func terminalChanged(_ change: TerminalChange) {}
}
