import ArgumentParser

@main
struct RemoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Controls Codex that runs elsewhere.", subcommands: [WorkersCommand.self])
}
