import ArgumentParser
import CodexWorkersClient
import ResolveKitCore

struct WorkersShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows a worker, and the newest events that this machine has seen of it.")

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The worker's id, as 'remote workers list' shows it.") var id: String
  @Option(help: "How many of the events.") var events = 10
  @Flag(help: "The snapshot as JSON.") var json = false

  func validate() throws {
    guard (0...WorkerEventCache.maximumEvents).contains(events) else {
      throw ValidationError("--events is from 0 to \(WorkerEventCache.maximumEvents).")
    }
  }

  func run() async throws {
    let place = try options.place()
    try await place.run {
      let worker = try await place.client.snapshot(of: id)
      guard !json else { return try WorkersOutput.json(.object(worker.members)) }
      for line in WorkersText.show(worker) { try WorkersOutput.line(line) }
      let kept = place.eventCache(of: id).events.suffix(events)
      guard let last = kept.last else { return }
      try WorkersOutput.line(
        ""
          + (last.sequence < worker.latestSequence
            ? "seen here (\(worker.latestSequence - last.sequence) newer events: remote workers watch)" : "seen here"))
      for event in kept { try WorkersOutput.line(WorkersText.row(event)) }
    }
  }
}
