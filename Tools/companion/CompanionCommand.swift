import ArgumentParser

@main
struct CompanionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "companion", abstract: "Lets paired devices control Codex on this machine.",
    subcommands: [
      ServeCommand.self, PairCommand.self, ConfirmCommand.self, DevicesCommand.self, ProjectsCommand.self,
      ApprovalsCommand.self, AuditCommand.self, MirrorCommand.self, DoctorCommand.self, UnitCommand.self,
    ])
}
