import ArgumentParser

@main
struct BackendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backend", abstract: "A backend for agent sessions over HTTP/3, HTTP/2 and HTTP/1.1.",
    subcommands: [ServeCommand.self, BackupCommand.self, DeleteCommand.self])
}
