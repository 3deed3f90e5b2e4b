import ArgumentParser

/// The value of `--approve`: what happens with tool calls that need approval.
enum ApprovalChoice: String, CaseIterable, ExpressibleByArgument {
  case ask
  case all
  case none
}
