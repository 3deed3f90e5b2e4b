import ArgumentParser
import Foundation
import Processes

/// Talks in sessions and follows them with a crowd of readers, which `Tools/ledger-check` starts against backends that it
/// kills meanwhile.
struct SessionCrowd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session-crowd", abstract: "Talks in sessions that many readers follow.", shouldDisplay: false)

  @Option(help: "A backend's address; may be repeated.") var backend: [String]
  @Option(help: "The certificate that they show.") var authority: String
  @Option(help: "The file with their API key.") var apiKeyFile: String
  @Option(help: "Sessions that are talked in.") var sessions = 1
  @Option(help: "Readers of all of them.") var readers: Int
  @Option(help: "Seconds of talking.") var seconds: Double
  @Option(help: "Words of an answer.") var words = 100
  @Option(help: "The most events a second that are asked for, in all sessions together; 0 for as many as there can be.")
  var pace = 0.0
  @Option(help: "The folder for the events of each session's first reader.") var folder: String

  private struct Outcome: Encodable {
    struct Session: Encodable {
      let id: String
      let last: Int64
    }

    let sessions: [Session]
    let tally: CrowdTally.Report
    /// Seconds from the first message to the last reader's last event.
    let took: Double
    /// Seconds of the processor that talking and reading took.
    let processor: Double
    let failures: [String]
  }

  func run() async throws {
    IdlePeer.raiseDescriptorLimit()
    let key = try String(contentsOfFile: apiKeyFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    let backends = try CrowdBackends(backend, authority: authority, key: key)
    let tally = CrowdTally()
    var talks: [CrowdSession] = []
    for number in 0..<sessions {
      talks.append(try await CrowdSession(backends, recorder: number, folder: folder))
    }
    let crowd = (0..<readers).map { CrowdReader($0, of: talks[$0 % sessions], backends, tally) }
    let tasks = crowd.map { reader in Task { await reader.run() } }
    let (start, before) = (ContinuousClock.now, ResourceUsage.own)
    try await talk(in: talks, backends, start)
    try await settle(crowd, tally)
    let (took, used) = (ContinuousClock.now - start, ResourceUsage.own - before)
    for task in tasks { task.cancel() }
    for (number, reader) in crowd.enumerated() where reader.progress != crowd[number % sessions].progress {
      tally.fail("reader \(number) has other events than reader \(number % sessions)")
    }
    for session in talks { try session.close() }
    try ChildProcess.report(
      Outcome(
        sessions: talks.enumerated().map { .init(id: $1.id, last: crowd[$0].progress.cursor) }, tally: tally.report,
        took: took / .seconds(1), processor: used.processor, failures: tally.failures))
  }

  private func talk(
    in sessions: [CrowdSession], _ backends: CrowdBackends, _ start: ContinuousClock.Instant
  ) async throws {
    let share = pace > 0 ? pace / Double(sessions.count) : nil
    try await withThrowingTaskGroup(of: Void.self) { group in
      for session in sessions {
        group.addTask {
          try await session.talk(
            "a story of \(words) words", to: backends, pace: share, until: start + .seconds(seconds))
        }
      }
      try await group.waitForAll()
    }
  }

  /// Returns when every reader is where its session's first one is, which has seen the last turn's end, or no reader gets
  /// on any more.
  private func settle(_ crowd: [CrowdReader], _ tally: CrowdTally) async throws {
    var (sum, patience) = (Int64(-1), 600)
    while tally.failures.isEmpty {
      let cursors = crowd.map(\.progress.cursor)
      if cursors.indices.allSatisfy({ cursors[$0] == cursors[$0 % sessions] }) { return }
      let now = cursors.reduce(0, +)
      patience = now == sum ? patience - 1 : 600
      sum = now
      guard patience > 0 else { return tally.fail("the readers are at \(cursors.min() ?? 0)…\(cursors.max() ?? 0)") }
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}
