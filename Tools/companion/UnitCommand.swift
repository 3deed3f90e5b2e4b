import ArgumentParser
import CodexAppServer
import Foundation

struct UnitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unit", abstract: "Prints a systemd user unit that serves with these options.",
    discussion: """
      companion unit --project ~/work > ~/.config/systemd/user/companion.service
      systemctl --user daemon-reload
      systemctl --user enable --now companion

      'loginctl enable-linger' has it start with the machine. The paths of this program and of codex, and the PATH, are \
      written into the unit as they are now.
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var options: ServeOptions

  func run() throws {
    _ = try Credentials.names(address: options.address, hosts: options.host)
    let environment = ProcessInfo.processInfo.environment
    var options = options
    // Through a link where one is named: it leads to the newer codex after an update.
    let found = try CodexProgram(options.codex ?? "codex", environment: environment).path
    options.codex = options.codex.flatMap { $0.contains("/") ? ServeOptions.fullPath($0) : nil } ?? found
    let folder = state.stateFolder.map { ["--state-folder", ServeOptions.fullPath($0)] } ?? []
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let variables = ["PATH", "CODEX_HOME"].compactMap { name in environment[name].map { (name, $0) } }
    print(SystemdUnit(command: [program, "serve"] + folder + options.words, variables: variables).text, terminator: "")
  }
}
