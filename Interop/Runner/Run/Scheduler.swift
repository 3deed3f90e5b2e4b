import Dispatch
import Foundation
import Synchronization

/// Runs cells, several tests at once and then measurements one by one, until all are done or the time is over.
final class Scheduler: Sendable {
  private struct State {
    var waiting: ArraySlice<Cell>
    var done = 0
    var outcomes: [Cell.Place: [Outcome]] = [:]
    var notRun: [Cell] = []
  }

  /// nil where the run was broken off and says nothing.
  private let run: @Sendable (Cell) -> Outcome?
  private let report: @Sendable (Cell, Outcome, _ done: Int, _ of: Int) -> Void
  private let mayStart: @Sendable () -> Bool
  private let count: Int
  private let state: Mutex<State>
  private let measurements: [Cell]

  init(
    _ cells: [Cell], mayStart: @escaping @Sendable () -> Bool, run: @escaping @Sendable (Cell) -> Outcome?,
    report: @escaping @Sendable (Cell, Outcome, _ done: Int, _ of: Int) -> Void
  ) {
    self.run = run
    self.report = report
    self.mayStart = mayStart
    count = cells.count
    measurements = cells.filter(\.testCase.isMeasurement)
    state = Mutex(State(waiting: cells.filter { !$0.testCase.isMeasurement }[...]))
  }

  /// Blocks until the end; answers the outcomes and what was not run any more.
  func runAll(jobs: Int) -> (outcomes: [Cell.Place: [Outcome]], notRun: [Cell]) {
    work(jobs: max(jobs, 1))
    // Two measurements at once would share the processors, and so measure each other.
    state.withLock { $0.waiting += measurements }
    work(jobs: 1)
    return state.withLock { ($0.outcomes, $0.notRun) }
  }

  private func work(jobs: Int) {
    let group = DispatchGroup()
    for _ in 0..<jobs {
      group.enter()
      Thread { [self] in
        while let cell = next() {
          if let outcome = run(cell) { finish(cell, outcome) } else { state.withLock { $0.notRun.append(cell) } }
        }
        group.leave()
      }.start()
    }
    group.wait()
  }

  private func next() -> Cell? {
    let mayStart = mayStart()
    return state.withLock { state in
      guard mayStart else {
        state.notRun += state.waiting
        state.waiting = []
        return nil
      }
      return state.waiting.popFirst()
    }
  }

  private func finish(_ cell: Cell, _ outcome: Outcome) {
    let done = state.withLock { state in
      state.outcomes[cell.place, default: []].append(outcome)
      state.done += 1
      return state.done
    }
    report(cell, outcome, done, count)
  }
}
