import ArgumentParser

/// The program's commands.
@main struct HostileProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hostile-server",
    abstract: "An HTTP/3 server that breaks the rules, one case at a time, to see what a client does.",
    subcommands: [ListCommand.self, ServeCommand.self, CheckCommand.self, AttackCommand.self])
}
