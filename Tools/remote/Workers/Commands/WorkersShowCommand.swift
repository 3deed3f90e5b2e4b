import ArgumentParser
import CodexWorkersClient
import ResolveKitCore

struct WorkersShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows a worker, its newest events, and how this machine's requests ended.")

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The worker's id, as 'remote workers list' shows it.") var id: String
  @Option(help: "The number of events.") var events = 10
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
      guard events > 0 else { return }
      let timeline = try await timeline(of: worker, place)
      guard !timeline.entries.isEmpty else { return }
      try WorkersOutput.line("")
      for line in WorkersText.timeline(timeline) { try WorkersOutput.line(line) }
    }
  }

  /// The worker's timeline, brought up to its state, as far as it is to be shown.
  private func timeline(of worker: WorkerSnapshot, _ place: WorkersPlace) async throws -> WorkerTimeline {
    let cache = place.eventCache(of: id)
    var timeline = place.timeline(of: id, entries: events)
    for event in cache.events { timeline.take(.event(event)) }
    let known = timeline.last
    let lacks = timeline.reconcile(with: worker, limit: Int64(events))
    if timeline.last != known { cache.clear() }
    guard let lacks else { return timeline }
    // A watch begins behind the cache: what nobody was shown stays to be read.
    let isNext = cache.cursor.map { $0 + 1 == lacks.lowerBound } ?? (lacks.lowerBound == 1)
    try await place.client.watch(id, after: lacks.lowerBound - 1) { update in
      timeline.take(update)
      if isNext, case .event(let event) = update { cache.add(event) }
      // The log grows meanwhile: what was there is enough.
      return timeline.last ?? 0 >= lacks.upperBound ? .enough : .taken
    }
    return timeline
  }
}
