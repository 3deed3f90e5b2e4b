import ArgumentParser
import CodexWorkersClient
import ResolveKitCore

struct WorkersCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Creates a worker, or takes up a stopped one under its id.",
    discussion: """
      The adapter 'local' has the runtime itself run Codex, where it was started with --adapter local. A worker of this \
      machine's Codex is created by 'companion serve --mirror'.
      """)

  @OptionGroup var options: WorkersOptions
  @Argument(
    help: "The worker's id: 3 to 160 letters, digits and . _ : - ; the runtime chooses one where it is not given.")
  var id: String?
  @Option(help: ArgumentHelp("Where Codex runs: local, or desktop_bridge.", valueName: "name")) var adapter: String?
  @Option(help: ArgumentHelp("What it works on, for readers of the list.", valueName: "text")) var workspace: String?

  func run() async throws {
    let place = try options.place()
    let registration = WorkerRegistration(workerID: id, workspace: workspace, adapter: adapter)
    try await place.run { print(WorkersText.created(try await place.client.register(registration))) }
  }
}
