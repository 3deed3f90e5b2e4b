import ArgumentParser

/// The value of `--approve`: the treatment of tool calls that need approval.
enum ApprovalChoice: String, CaseIterable, ExpressibleByArgument {
  case ask
  case all
  case none
}
