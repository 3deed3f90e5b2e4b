import ArgumentParser

/// `remote workers`: Codex workers through a runtime, wherever they run.
struct WorkersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workers", abstract: "Lists, watches and administers the Codex workers of a runtime.",
    discussion: """
      Exit codes: 0 done, 1 other failures, 3 the server does not answer, 4 not signed in or somebody else's, 5 no such \
      worker, 6 conflict with its state, 7 refused as sent, 8 too many requests, 10 Codex refused, 11 no device answered in \
      time.
      """,
    subcommands: [
      WorkersLoginCommand.self, WorkersListCommand.self, WorkersCreateCommand.self, WorkersShowCommand.self,
      WorkersWatchCommand.self, WorkersRequestCommand.self, WorkersStopCommand.self, WorkersHandshakeCommand.self,
    ])
}
