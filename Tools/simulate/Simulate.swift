import ArgumentParser

/// Runs many seeds of a simulation, or shows one; of the transport's, where no other is named.
@main
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Runs programs in virtual time, each run determined by a seed.",
    subcommands: [TransportCommand.self, SessionCommand.self, CompanionCommand.self],
    defaultSubcommand: TransportCommand.self)
}
