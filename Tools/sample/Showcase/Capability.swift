/// What the app can do, and words that make an agent do it.
struct Capability {
  let tool: String
  let prompt: String
  let expected: String

  static let all = [
    Capability(tool: "set_vibe", prompt: "Set the vibe to neon.", expected: "vibe and accent change"),
    Capability(tool: "rename_mascot", prompt: "Rename the mascot to “Captain Quokka”.", expected: "the mascot changes"),
    Capability(tool: "launch_confetti", prompt: "Launch 7 bursts of confetti.", expected: "the counter rises by 7"),
    Capability(tool: "arm_laser", prompt: "Arm the laser.", expected: "you are asked, then the laser is armed"),
    Capability(tool: "show_state", prompt: "Show me the state.", expected: "the agent tells all of the above"),
  ]

  /// Counted from 1, as the table does.
  static func numbered(_ number: Int) -> Capability? {
    all.indices.first { $0 + 1 == number }.map { all[$0] }
  }

  /// One line for each, numbered from 1.
  static var table: String {
    all.enumerated().map { index, capability in
      let tool = capability.tool.padding(to: 16)
      return "  \(index + 1)  \(tool) \(capability.prompt.padding(to: 40)) \(capability.expected)\n"
    }.joined()
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
