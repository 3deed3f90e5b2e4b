import ArgumentParser
import Foundation
import ResolveKitCore
import ResolveKitNetworking

/// The throughput of a session's events through the turn machine and its journal, and of the journal's reading.
struct ReplayBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays a history of 100 000 events through the turn machine and a journal on disk, then reopens it.")

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(help: "Rounds; each is a new journal.")
  var rounds = 5

  @Option(help: "Events of the history.")
  var events = 100_000

  func validate() throws {
    guard rounds > 0, events > 0 else { throw ValidationError("--rounds and --events must be at least 1.") }
  }

  func run() async throws {
    let history = ReplayHistory(events: events)
    let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var replayed = Median()
    var machineAlone = Median()
    var reopened = Median()
    var size = 0
    for round in 0..<rounds {
      machineAlone.add(try await history.replay(into: nil))
      let journals = ResolveKitJournalFolder(path: folder)
      let id = "session-\(round)"
      let journal = try journals.open(id) { _, _ in }
      replayed.add(try await history.replay(into: journal))
      size = journal.fileSize
      let start = ContinuousClock.now
      let again = try journals.open(id) { _, _ in }
      reopened.add((ContinuousClock.now - start) / .milliseconds(1))
      guard again.image.cursor == history.lastID, again.image.turn == nil else {
        throw ValidationError("The journal did not hold what was replayed; its speed means nothing.")
      }
      await again.close()
    }
    guard let both = replayed.value, let alone = machineAlone.value, let reopening = reopened.value else { return }
    let report = ReplayReport(
      events: history.events.count, turns: history.turns, rounds: rounds, eventsPerS: both, machineEventsPerS: alone,
      journalBytes: size, reopenMs: reopening)
    print(json ? try report.json : report.text)
  }
}
