import ArgumentParser

@main
struct WorkersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workers", abstract: "Serves Codex workers: one contract, whatever machine runs Codex.",
    subcommands: [ServeCommand.self, TokensCommand.self, RebuildProjectionCommand.self])
}
