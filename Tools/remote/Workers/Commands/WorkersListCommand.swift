import ArgumentParser
import CodexWorkersClient
import ResolveKitCore

struct WorkersListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists your workers.")

  /// Workers that are asked for their own state.
  private static let looks = 16

  @OptionGroup var options: WorkersOptions
  @Option(help: "starting, running, stopping, stopped or failed.") var status: String?
  @Option(help: ArgumentHelp("Only workers of this workspace.", valueName: "ref")) var workspace: String?
  @Option(help: "At most so many, 1 to 200.") var limit = 50
  @Flag(help: "One JSON object a line, as the runtime wrote it.") var json = false

  func validate() throws {
    guard (1...200).contains(limit) else { throw ValidationError("--limit is from 1 to 200.") }
  }

  func run() async throws {
    let place = try options.place()
    try await place.run {
      var workers = try await place.client.list(
        status: status.map(WorkerStatus.init), workspace: workspace, limit: limit)
      // Where the list is behind, the workers themselves say how they are.
      for index in workers.indices.filter({ workers[$0].isBehind }).prefix(Self.looks) {
        guard let state = try? await place.client.snapshot(of: workers[index].id) else { continue }
        workers[index] = workers[index].reconciled(with: state)
      }
      if json {
        for worker in workers { try WorkersOutput.json(.object(worker.members)) }
      } else {
        for line in WorkersText.list(workers) { try WorkersOutput.line(line) }
      }
    }
  }
}
