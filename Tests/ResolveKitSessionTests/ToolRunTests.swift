import Dispatch
import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import ResolveKitSession

@Suite(.timeLimit(.minutes(10)))
struct ToolRunTests {
  /// Runs a body and answers what it returned.
  private func outcome(
    of body: @escaping @Sendable () async throws -> JSONValue, then act: (ToolRun) async -> Void = { _ in }
  ) async -> [ToolOutcome] {
    let (returns, sink) = AsyncStream.makeStream(of: ToolOutcome.self)
    let run = ToolRun(
      clock: .continuous,
      onReturn: { outcome in
        sink.yield(outcome)
        sink.finish()
      }, body)
    await act(run)
    var outcomes: [ToolOutcome] = []
    for await outcome in returns { outcomes.append(outcome) }
    return outcomes
  }

  @Test func theValueIsReported() async {
    #expect(await outcome { 7 } == [.success(7)])
  }

  @Test func anErrorIsReportedInItsOwnWords() async {
    struct Broken: Error, CustomStringConvertible { let description = "the disk is full" }
    #expect(await outcome { throw Broken() } == [.failure("the disk is full")])
    #expect(
      await outcome { throw ResolveKitFunctionError.invalidArguments("n") }
        == [.failure("Invalid function arguments: n")])
  }

  @Test func invariant10AToolThatIgnoresCancellationHoldsUpNobodyAndItsReturnIsReported() async {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let outcomes = await outcome {
      // A task of its own does not hear of the cancellation.
      await Task { for await _ in gate { break } }.value
      return "late"
    } then: { run in
      run.cancel()
      // Control is back while the body still waits for this.
      open.yield()
    }
    #expect(outcomes == [.success("late")])
  }

  @Test func aToolThatHeedsCancellationEnds() async {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let outcomes = await outcome {
      let (never, held) = AsyncStream.makeStream(of: Void.self)
      start.yield()
      for await _ in never {}
      _ = held
      try Task.checkCancellation()
      return nil
    } then: { run in
      for await _ in started { break }
      run.cancel()
    }
    #expect(outcomes == [.failure("The tool was cancelled.")])
  }

  @Test func aToolThatBlocksItsThreadHoldsUpNoOther() async {
    // More of them than the default pool has threads on most machines.
    let count = 16
    let blocked = DispatchGate(count: count)
    await withTaskGroup(of: [ToolOutcome].self) { group in
      for _ in 0..<count {
        group.addTask {
          await outcome {
            blocked.wait()
            return 1
          }
        }
      }
      #expect(await outcome { 2 } == [.success(2)])
      blocked.open()
      for await outcomes in group { #expect(outcomes == [.success(1)]) }
    }
  }
}

/// Threads that wait until a test lets them go.
private final class DispatchGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let count: Int

  init(count: Int) { self.count = count }

  func wait() { semaphore.wait() }
  func open() { for _ in 0..<count { semaphore.signal() } }
}
