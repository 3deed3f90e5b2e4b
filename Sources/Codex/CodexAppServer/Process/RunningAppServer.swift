import Glibc
import ResolveKitCore

/// A codex that was started or joined.
struct RunningAppServer {
  let connection: AppServerConnection
  let greeting: AppServerGreeting
  /// nil for one that was joined.
  let process: SpawnedProcess?
  /// Whether it has nobody to speak with but us.
  let isOurs: Bool

  var isJoined: Bool { process == nil }

  /// Returns once it can no longer be spoken with, with the reason. Cancelling the task closes the connection.
  func end(log: CodexLog) async -> AppServerError {
    await withTaskCancellationHandler {
      await withTaskGroup { group in
        group.addTask { await connection.waitForEnd() }
        group.addTask {
          while (try? await Task.sleep(for: .seconds(30))) != nil { log.trim() }
        }
        await group.next()
        group.cancelAll()
      }
    } onCancel: {
      connection.close()
    }
    guard let process, isOurs || !Task.isCancelled else {
      return AppServerError(.connectionLost, "The connection to codex ended.")
    }
    // Where only the connection broke, one that serves a socket lives on, and is joined.
    let ending = isOurs ? await Self.end(process) : await process.waitForEnd(within: .seconds(5))
    let reason = ending.map { "\($0)" } ?? "it still runs"
    let line = log.lastWord()
    let quoted = line.isEmpty ? "" : "; its log ends with \(line.visibleJSON)"
    return AppServerError(.connectionLost, "The connection to codex ended: \(reason)\(quoted).")
  }

  /// A codex without anybody to speak with ends by itself; one that does not is in the way of the next.
  private static func end(_ process: SpawnedProcess) async -> SpawnedProcess.Ending? {
    for signal in [SIGTERM, SIGKILL] {
      if let ending = await process.waitForEnd(within: .seconds(3)) { return ending }
      process.signal(signal)
    }
    return await process.waitForEnd(within: .seconds(3))
  }
}
