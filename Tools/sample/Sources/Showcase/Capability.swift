/// An ability of the app, and words that make an agent use it.
struct Capability {
  let tool: String
  let prompt: String
  let changes: String

  static let all = [
    Capability(tool: "set_vibe", prompt: "Set the vibe to neon.", changes: "vibe and accent"),
    Capability(tool: "rename_mascot", prompt: "Rename the mascot to “Captain Quokka”.", changes: "the mascot"),
    Capability(tool: "launch_confetti", prompt: "Launch 7 bursts of confetti.", changes: "the counter"),
    Capability(tool: "arm_laser", prompt: "Arm the laser.", changes: "the laser; asks you"),
    Capability(tool: "show_state", prompt: "Show me the state.", changes: "nothing"),
  ]

  /// Counted from 1, as the table does.
  static func numbered(_ number: Int) -> Capability? {
    all.indices.first { $0 + 1 == number }.map { all[$0] }
  }

  /// One line for each, numbered from 1; none is longer than 80 cells.
  static var table: String {
    row("", "tool", "prompt", "changes")
      + all.enumerated().map { row("\($0 + 1)", $1.tool, $1.prompt, $1.changes) }.joined()
  }

  private static func row(_ number: String, _ tool: String, _ prompt: String, _ changes: String) -> String {
    "  \(number.padding(to: 2)) \(tool.padding(to: 16)) \(prompt.padding(to: 38)) \(changes)\n"
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
