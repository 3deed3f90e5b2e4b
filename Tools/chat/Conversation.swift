import ArgumentParser
import Foundation
import ResolveKitUI
import StreamTransport

/// Joins the runtime with the terminal or the pipe: renders what happens, asks what must be asked, waits for turns.
@MainActor
final class Conversation {
  private let runtime: ResolveKitRuntime
  let reader: LineReader
  /// Whether a person types turn after turn.
  let isInteractive: Bool
  private var renderer: any Renderer
  private var connection = ResolveKitConnectionUpdate(state: .idle)
  private var wasBlocked = false
  private var question: Task<Void, Never>?
  private var turnEnd: CheckedContinuation<ResolveKitFinishedTurn?, Never>?
  private var endedTurns: [ResolveKitFinishedTurn] = []
  private var pump: Task<Void, Never>?
  private(set) var isTurnInProgress = false

  /// Whether the connection was given up, so that no message can be sent any more.
  var isOver: Bool { connection.state == .failed || connection.state == .blocked }

  init(runtime: ResolveKitRuntime, renderer: any Renderer, reader: LineReader, isInteractive: Bool) {
    self.runtime = runtime
    self.renderer = renderer
    self.reader = reader
    self.isInteractive = isInteractive
  }

  /// Connects; throws what stood in the way, or `ConnectTimeout`.
  func start(within timeout: Duration) async throws {
    let updates = runtime.updates()
    pump = Task {
      for await update in updates { take(update) }
      end(nil)
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { [runtime] in
        try await runtime.start()
        return true
      }
      group.addTask {
        try await Task.sleep(for: timeout)
        return false
      }
      defer { group.cancelAll() }
      if try await group.next() == false {
        await runtime.stop()
        throw ConnectTimeout(timeout: timeout, reason: connection.reason)
      }
    }
  }

  /// Whether a turn was stopped because its time was up, and not by a person.
  private var isTimedOut = false

  /// Sends one message and waits for the end of its turn; nil when the runtime ended before.
  func say(_ text: String, within timeout: Duration?) async -> ResolveKitFinishedTurn? {
    isTurnInProgress = true
    endedTurns = []
    await runtime.sendMessage(text)
    let alarm = timeout.map { timeout in
      Task { [runtime] in
        guard (try? await Task.sleep(for: timeout)) != nil else { return }
        Output.status("chat: no end of the turn within \(timeout)\n").write()
        self.isTimedOut = true
        await runtime.cancelTurn()
      }
    }
    defer { alarm?.cancel() }
    return await withCheckedContinuation { waiter in
      if let turn = endedTurns.first { waiter.resume(returning: turn) } else { turnEnd = waiter }
    }
  }

  func cancelTurn() async {
    await runtime.cancelTurn()
  }

  /// Ends everything, with the last lines written.
  func finish() async {
    await runtime.finish()
    await pump?.value
  }

  /// What a turn's end means for the process.
  func exitCode(for turn: ResolveKitFinishedTurn?) -> ExitCode {
    switch turn?.status {
    case .complete: .success
    case .failed, nil: wasBlocked ? .notAuthorised : turn == nil ? .cannotConnect : .turnFailed
    case .cancelled: isTimedOut ? .turnFailed : .interrupted
    }
  }

  /// State, transport and round-trip time on one line.
  func statusLine() async -> String {
    TerminalRenderer.status(connection, await runtime.connectionSnapshot())
  }

  private func take(_ update: ResolveKitRuntimeUpdate) {
    for output in renderer.render(update) { output.write() }
    switch update {
    case .connection(let new):
      connection = new
      if new.state == .blocked { wasBlocked = true }
    case .approvalNeeded(_, let calls): ask(calls)
    case .approvalWithdrawn: question?.cancel()
    case .turn(let turn): end(turn)
    case .session, .event, .skippedEvent, .turnStarted, .text, .textCorrected, .batch, .tool, .message, .escalated,
      .feedback, .localized, .themed, .note:
      break
    }
  }

  private func end(_ turn: ResolveKitFinishedTurn?) {
    isTurnInProgress = false
    question?.cancel()
    if let turn { endedTurns.append(turn) }
    turnEnd?.resume(returning: turn)
    turnEnd = nil
  }

  private func ask(_ calls: [ResolveKitPendingToolCall]) {
    question = Task {
      while !Task.isCancelled {
        Output.status(ApprovalQuestion.text(calls)).write()
        switch await reader.line() {
        case .overtaken: return
        case .end: return await runtime.declineToolCallBatch()
        case .line(let line):
          guard !Task.isCancelled else { return }
          switch ApprovalQuestion.answer(line) {
          case .once?: return await runtime.approveToolCallBatch()
          case .always?: return await runtime.approveToolCallBatchForSession()
          case .no?: return await runtime.declineToolCallBatch()
          case nil: continue
          }
        }
      }
    }
  }
}

/// No connection within the time that was given.
struct ConnectTimeout: Error, CustomStringConvertible {
  var timeout: Duration
  var reason: String?

  var description: String {
    "No connection within \(timeout)" + (reason.map { ": \($0)" } ?? ".")
  }
}
