import Glibc
import NIOPosix
import Processes
import ResolveKitCore
import Synchronization

/// A program that was started from here, in a session of its own: neither a Ctrl-C at our terminal nor our end reaches it.
package final class SpawnedProcess: Sendable {
  /// The end of a process.
  package enum Ending: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)
    /// Another caller took its status.
    case unknown

    package var description: String {
      switch self {
      case .exited(let code): "it exited with \(code)"
      case .killed(let signal): "signal \(signal) ended it"
      case .unknown: "how it ended is not known"
      }
    }
  }

  /// The process's number, which is its own until it has ended.
  package let number: Int32
  private let end = Mutex<Ending?>(nil)

  /// Starts a program with these descriptors as its standard ones.
  /// - Throws: `AppServerError.Code.startFailed`.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String], input: CInt, output: CInt, error: CInt
  ) throws(AppServerError) {
    var program = ChildProgram(path, arguments, environment: environment)
    program.input = .descriptor(input)
    program.output = .descriptor(output)
    program.error = .descriptor(error)
    program.group = .session
    do {
      number = try program.start()
    } catch {
      throw AppServerError(
        .startFailed, "\(path.visibleJSON) cannot be started (\(error.reason)); look whether it can be run.")
    }
    Task.detached { await self.reap() }
  }

  /// The process's end; nil while it runs.
  package var ending: Ending? { end.withLock { $0 } }

  /// Sends it a signal, unless it has ended.
  package func signal(_ signal: Int32) {
    // Under the lock its number is not given to another process.
    end.withLock { end in
      if end == nil { _ = kill(number, signal) }
    }
  }

  /// Waits until it has ended, for that time at most, also in a task that was cancelled.
  package func waitForEnd(within time: Duration) async -> Ending? {
    await Task.detached {
      let deadline = ContinuousClock.now + time
      while self.ending == nil, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(20)) }
      return self.ending
    }.value
  }

  private func reap() async {
    // The wait blocks a thread, so it has one of its own.
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    try? await pool.runIfActive { self.wait() }
    try? await pool.shutdownGracefully()
  }

  private func wait() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR else { break }
    }
    end.withLock { end in
      var status: Int32 = 0
      guard waitpid(number, &status, 0) == number else {
        end = .unknown
        return
      }
      let signal = status & 0x7F
      end = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }
  }
}
