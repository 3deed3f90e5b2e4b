import ArgumentParser
import CodexWorkersClient
import ResolveKitCore

struct WorkersListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists your workers.")

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
      let workers = try await place.client.list(
        status: status.map(WorkerStatus.init), workspace: workspace, limit: limit)
      if json {
        for worker in workers { try WorkersOutput.json(.object(worker.members)) }
      } else {
        for line in WorkersText.list(workers) { try WorkersOutput.line(line) }
      }
    }
  }
}
