import ArgumentParser

/// What `--approve` does with tool calls that need approval.
enum ApprovalChoice: String, CaseIterable, ExpressibleByArgument {
  case ask
  case all
  case none
}
