import ArgumentParser
import CodexWorkersClient
import ResolveKitCore

struct WorkersStopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stops a worker: its requests end, its events stay.")

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The worker's id.") var id: String
  @Option(help: ArgumentHelp("The reason, for readers of the log.", valueName: "text")) var reason: String?

  func validate() throws {
    guard (reason?.unicodeScalars.count ?? 0) <= 255 else {
      throw ValidationError("--reason has 255 characters at most.")
    }
  }

  func run() async throws {
    let place = try options.place()
    try await place.run {
      let stop = try await place.client.stop(id, reason: reason)
      print(stop.isReplay ? "The worker was stopped already." : "The worker is \(stop.status.word.visible).")
    }
  }
}
