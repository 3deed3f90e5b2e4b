import ArgumentParser
import ResolveKitCore

/// The SDK's cost of a tool call: from the event that asks for the call to the result that is to be delivered.
struct DispatchBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dispatch",
    abstract: "Measures the cost of a tool call from event to result.",
    discussion: """
      No network and no journal: the event's JSON is parsed, the call is batched, approved where it must be, run on the
      tools' own threads, and its result recorded and settled. 'a bare task' starts the same tool in a task and hears of
      its end, which no dispatcher can do without. Values are medians of the rounds; p50 and p99 are over the calls of a
      round.
      """)

  @Option(help: "Calls of one round.")
  var calls = 8_000

  @Option(help: "Rounds, of which the middle one counts.")
  var rounds = 9

  @Flag(help: "Print one JSON object in place of the table.")
  var json = false

  func validate() throws {
    guard calls >= CallEvents.callsPerTurn, rounds > 0 else {
      throw ValidationError("--calls must be at least \(CallEvents.callsPerTurn), --rounds at least 1.")
    }
  }

  func run() async throws {
    var rows: [ComparisonTable.Row] = []
    let bare = "a bare task"
    rows.append(try await row(bare) { try await bareRound() })
    rows.append(try await row("the machine alone") { try machineRound() })
    rows.append(try await row("a call at a time") { try await round(width: 1, approval: false) })
    rows.append(try await row("approved by the policy") { try await round(width: 1, approval: true) })
    rows.append(
      try await row("four at a time") { try await round(width: TurnPolicy().maximumRunningTools, approval: false) })
    let table = ComparisonTable(
      section: "\(calls / CallEvents.callsPerTurn * CallEvents.callsPerTurn) calls, median of \(rounds) rounds",
      title: "from event to result", columns: ["mean_us/call", "p50_us", "p99_us"], rows: rows, base: bare)
    print(json ? try ComparisonTable.json("dispatch", [table], skipped: []) : table.text)
  }

  private func row(_ name: String, _ round: () async throws -> DispatchTimes) async throws -> ComparisonTable.Row {
    var mean = Median()
    var p50 = Median()
    var p99 = Median()
    _ = try await round()
    for _ in 0..<rounds {
      let times = try await round()
      mean.add(times.mean)
      p50.add(times.percentile(0.5))
      p99.add(times.percentile(0.99))
    }
    return ComparisonTable.Row(name: name, values: [mean.value, p50.value, p99.value])
  }

  private var turns: Int { calls / CallEvents.callsPerTurn }

  private func bareRound() async throws -> DispatchTimes {
    let shell = BareShell()
    var times = DispatchTimes()
    for _ in 0..<(turns * CallEvents.callsPerTurn) {
      let start = ContinuousClock.now
      await shell.dispatch(1)
      times.add(ContinuousClock.now - start, calls: 1)
    }
    try check(await shell.answered)
    return times
  }

  private func round(width: Int, approval: Bool) async throws -> DispatchTimes {
    let shell = DispatchShell(approval: approval)
    var events = CallEvents(approval: approval)
    var times = DispatchTimes()
    for _ in 0..<turns {
      let turn = events.next()
      await shell.handle(turn.begin)
      for first in stride(from: 0, to: turn.calls.count, by: width) {
        let start = ContinuousClock.now
        await shell.dispatch(turn.calls[first..<min(first + width, turn.calls.count)])
        times.add(ContinuousClock.now - start, calls: width)
      }
      await shell.handle(turn.end)
    }
    try check(await shell.answered)
    return times
  }

  /// Events in, actions out, in one thread: what the rules cost.
  private func machineRound() throws -> DispatchTimes {
    var machine = TurnMachine()
    _ = machine.handle(.startRequested(tools: [ToolPolicy(name: "echo", requiresApproval: false)]))
    _ = machine.handle(.registered)
    _ = machine.handle(.sessionCreated(sessionID: "s", isReused: false))
    _ = machine.handle(.streamOpened(generation: 1, at: 1))
    var events = CallEvents(approval: false)
    var times = DispatchTimes()
    var answered = 0
    for _ in 0..<turns {
      let turn = events.next()
      for event in turn.begin { _ = machine.handle(event) }
      for call in turn.calls {
        let start = ContinuousClock.now
        for case .startTool(let started) in machine.handle(call) {
          let done = machine.handle(.toolFinished(started.key, .success(1), at: started.arrivedAt))
          for case .deliverResult(let key, _) in done {
            answered += 1
            _ = machine.handle(.resultAccepted(key, deduplicated: false, at: started.arrivedAt))
          }
        }
        times.add(ContinuousClock.now - start, calls: 1)
      }
      for event in turn.end { _ = machine.handle(event) }
    }
    try check(answered)
    return times
  }

  private func check(_ answered: Int) throws {
    guard answered == turns * CallEvents.callsPerTurn else {
      throw ValidationError(
        "\(answered) of \(turns * CallEvents.callsPerTurn) calls were answered; the times mean nothing.")
    }
  }
}
