import ArgumentParser
import CodexWorkersClient
import Glibc
import ResolveKitCore

struct WorkersWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Follows a worker's events, each once and in order.",
    discussion: "Begins behind what this machine has seen of the worker; for the first time at its present end.")

  @OptionGroup var options: WorkersOptions
  @Argument(help: "The worker's id.") var id: String
  @Option(help: ArgumentHelp("Begin behind this event; 0 for all.", valueName: "seq")) var after: Int64?
  @Option(help: ArgumentHelp("End after so many events.", valueName: "count")) var count: Int?
  @Flag(help: "One JSON object a line: the events' envelopes; what else happens goes to standard error.") var json =
    false

  func validate() throws {
    guard (after ?? 0) >= 0, (count ?? 1) > 0 else { throw ValidationError("--after and --count are not negative.") }
  }

  func run() async throws {
    let place = try options.place()
    try await place.run { try await watch(place) }
  }

  private func watch(_ place: WorkersPlace) async throws {
    let cache = place.eventCache(of: id)
    let cursor: Int64
    if let after {
      cursor = after
    } else if let known = cache.cursor {
      cursor = known
    } else {
      cursor = try await place.client.snapshot(of: id).latestSequence
    }
    var timeline = place.timeline(of: id)
    var health = WorkerHealth()
    var badge: WorkerHealth.Badge?
    var transport = ""
    var left = count ?? .max
    let clock = ContinuousClock()
    let start = clock.now
    try await place.client.watch(id, after: cursor, signIn: { await Self.signIn(place) }) { update in
      let now = start.duration(to: clock.now)
      timeline.take(update)
      switch update {
      case .event(let event):
        health.take(event, at: now)
        if json {
          try WorkersOutput.json(event.json)
        } else if case .receipt(let receipt)? = timeline.entries.last, receipt.sequence == event.sequence {
          try WorkersOutput.line(WorkersText.own(receipt))
        } else {
          try WorkersOutput.line(WorkersText.row(event))
        }
        cache.add(event)
        left -= 1
        return left > 0 ? .taken : .enough
      case .snapshot(let snapshot):
        health.take(snapshot, at: now)
        let new = health.badge(at: now)
        if new.word != badge?.word {
          WorkersExit.say("-- \(snapshot.status.word.visible), device \(WorkersText.text(new))")
        }
        badge = new
      case .rewound:
        cache.clear()
        note(update)
      case .link(.live(let kind)):
        if kind != transport { WorkersExit.say("-- connected over \(kind == "h3" ? "HTTP/3" : "HTTP/1.1")") }
        transport = kind
      case .lost, .link: note(update)
      }
      return .taken
    }
  }

  private func note(_ update: WorkerUpdate) { WorkersText.row(update).map { WorkersExit.say($0) } }

  /// On a terminal the person is asked for a new code; otherwise the exit code says so.
  private static func signIn(_ place: WorkersPlace) async -> Bool {
    guard isatty(STDIN_FILENO) == 1, let old = try? place.credentials.credential(for: place.server) else {
      return false
    }
    do {
      _ = try await place.signIn(email: old.email)
      return true
    } catch {
      WorkersExit.say("\(error)")
      return false
    }
  }
}
