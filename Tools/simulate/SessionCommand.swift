import ArgumentParser
import Foundation
import SessionSimulation

/// Runs whole sessions: client, network, backends and database as one program.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Runs whole sessions in virtual time: a client, a network, one or two backends and their database.",
    discussion: """
      Events are lost, repeated, reordered and cut at any byte; client and backends are killed at any step, held up and \
      started again; clocks jump; tools are slow, fail or ignore that they are cancelled; the database is away, slow, or \
      does what is asked and loses the answer. After every step the session's invariants and the ledger's are judged. \
      Fails where one is broken, or a required step or observation never occurred; the first failing schedule is shortened and \
      printed.
      """)

  @OptionGroup var schedules: ScheduleOptions

  @Flag(help: "With --seed: a short schedule of faults that can be applied to real programs.")
  var forPrograms = false

  @Option(
    help: ArgumentHelp(
      "Judges the facts in this file, as JSON lines, which real programs have left.", valueName: "file"))
  var judge: String?

  @Flag(help: "Stops at the first seed that fails, and does not shorten its schedule.")
  var firstFailure = false

  func run() async throws {
    if let judge {
      try ScheduleOptions.report(ObservedFacts.judge(lines: String(contentsOfFile: judge, encoding: .utf8)))
    } else {
      try await schedules.run(
        generate: { Self.schedule($0, forPrograms: forPrograms) }, show: show, runAll: runAll)
    }
  }

  private static func schedule(_ seed: UInt64, forPrograms: Bool = false) -> SessionSchedule {
    var generator = ScheduleGenerator(seed: seed)
    return forPrograms ? generator.scheduleForPrograms() : generator.schedule()
  }

  private func show(_ schedule: SessionSchedule) throws {
    var log = SessionLogLines()
    try ScheduleOptions.report(SessionRun.run(schedule) { print(log.line($0, of: $1, at: $2)) }.violations)
  }

  private func runAll() async throws {
    try await schedules.runAll(
      "session", SessionReport(), isLast: { [firstFailure] in firstFailure && !$0.violations.isEmpty },
      explain: { if !firstFailure { try shorten($0) } }
    ) { SessionRun.run(Self.schedule($0)) }
  }

  private func shorten(_ seed: UInt64) throws {
    let shortened = ScheduleShortener.shorten(Self.schedule(seed))
    print("\nThe schedule of seed \(seed), shortened:\n\(try shortened.lines())")
    for violation in SessionRun.run(shortened).violations { print("violation: \(violation)") }
  }
}
