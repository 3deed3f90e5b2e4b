import CLinux
import Dispatch
import Foundation
import Synchronization

/// A program that runs on one side of a link.
///
/// It and all its descendants end at the latest with the link, also when this process is killed. It leads a session of
/// its own, so Ctrl-C at the terminal reaches us and not it, unless it owns the terminal. No zombie stays: a thread
/// waits for it from the start.
package final class NamespacedProcess: Sendable {
  private enum State {
    case running(waiters: [UInt64: CheckedContinuation<ProcessEnding?, Never>], next: UInt64)
    case ended(ProcessEnding)
  }

  /// The identifier as this process sees it; the program itself sees another number.
  package let identifier: Int32
  private let child: clinux_child
  private let state = Mutex(State.running(waiters: [:], next: 0))
  private let hasEnded = DispatchGroup()

  /// Starts the command; to be called on the side's thread.
  init(starting command: NamespacedCommand) throws(EmulatorError) {
    let resolved = try CommandResolver(command)
    let output = try OpenedOutput(command.output, inherited: STDOUT_FILENO)
    let error = try OpenedOutput(command.error, inherited: STDERR_FILENO)
    let input: CInt =
      switch command.input {
      case .nothing: -1
      case .inherited: STDIN_FILENO
      case .descriptor(let number): number
      }
    var child = clinux_child()
    var step: CInt = 0
    let answer = CStrings.with(resolved.arguments, resolved.environment) { arguments, environment in
      resolved.path.withCString { path in
        CStrings.with(command.directory) { directory in
          var request = clinux_command(
            path: path, arguments: arguments, environment: environment, directory: directory, input: input,
            output: output.number, error: error.number,
            owns_terminal: command.ownsTerminal)
          return clinux_spawn(&request, &child, &step)
        }
      }
    }
    guard answer >= 0 else { throw Self.failure(command, step: step, answer: answer) }
    self.child = child
    identifier = child.process
    hasEnded.enter()
    do throws(EmulatorError) {
      try Threads.start(name: "wait-\(child.process)") { [self] in awaitEnd() }
    } catch {
      // No one would reap it.
      Glibc.kill(child.first, SIGKILL)
      clinux_reap(&child)
      hasEnded.leave()
      throw error
    }
  }

  private static func failure(_ command: NamespacedCommand, step: CInt, answer: CInt) -> EmulatorError {
    let cause = SystemCallError("execve", answer: answer)
    switch Int(step) {
    case CLINUX_STEP_DIRECTORY:
      return EmulatorError(
        .file, "The folder '\(command.directory ?? "")' to start \(command.executable) in can't be entered.",
        cause: SystemCallError("chdir", answer: answer))
    case CLINUX_STEP_EXECUTE:
      let remedy =
        switch -answer {
        case ENOENT: "it or the interpreter that its first line names does not exist."
        case EACCES: "it is not executable (chmod +x), or a folder above it can't be entered."
        case ENOEXEC: "it is neither a program of this system nor a script with a first line such as #!/bin/sh."
        case E2BIG: "its arguments and environment are too large."
        default: "the system refused it."
        }
      return EmulatorError(.notExecutable, "'\(command.executable)' can't be run: \(remedy)", cause: cause)
    default:
      return EmulatorError(
        answer == -EPERM ? .privileges : .system,
        "No process can be started for \(command.executable); see the limits on processes and memory, and whether PID "
          + "namespaces are allowed.", cause: SystemCallError("clone", answer: answer))
    }
  }

  // MARK: The end

  private func awaitEnd() {
    var child = child
    var ending = clinux_ending()
    let isKnown = clinux_await_end(&child, &ending)
    let result = ProcessEnding(isKnown ? ending : nil)
    let waiters = state.withLock { state -> [CheckedContinuation<ProcessEnding?, Never>] in
      // Under the lock, so that no signal is sent to a process id that is free again.
      clinux_reap(&child)
      guard case .running(let waiters, _) = state else { return [] }
      state = .ended(result)
      return Array(waiters.values)
    }
    hasEnded.leave()
    for waiter in waiters { waiter.resume(returning: result) }
  }

  /// nil while it runs.
  package var ending: ProcessEnding? {
    state.withLock { if case .ended(let ending) = $0 { ending } else { nil } }
  }

  /// Waits until it has ended; throws only `CancellationError`.
  package func ended() async throws -> ProcessEnding {
    let ticket = state.withLock { state -> UInt64 in
      guard case .running(let waiters, let next) = state else { return 0 }
      state = .running(waiters: waiters, next: next + 1)
      return next
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> ProcessEnding?? in
          switch state {
          case .ended(let ending): return .some(ending)
          case .running(var waiters, let next):
            guard !Task.isCancelled else { return .some(nil) }
            waiters[ticket] = continuation
            state = .running(waiters: waiters, next: next)
            return nil
          }
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<ProcessEnding?, Never>? in
        guard case .running(var waiters, let next) = state else { return nil }
        let waiter = waiters.removeValue(forKey: ticket)
        state = .running(waiters: waiters, next: next)
        return waiter
      }
      waiter?.resume(returning: nil)
    }
    guard let result else { throw CancellationError() }
    return result
  }

  /// Blocks until it has ended or the time is over, then nil.
  package func waitUntilEnded(timeout: Duration? = nil) -> ProcessEnding? {
    let deadline = timeout.map { DispatchTime.now() + $0.dispatchInterval } ?? .distantFuture
    guard hasEnded.wait(timeout: deadline) == .success else { return nil }
    return ending
  }

  // MARK: Signals and cost

  /// Sends a signal to the program's process group, if it still runs.
  package func signal(_ number: CInt) {
    state.withLock { state in
      guard case .running = state else { return }
      Glibc.kill(-child.process, number)
    }
  }

  /// Ends it at once, with all its descendants.
  package func kill() {
    state.withLock { state in
      guard case .running = state else { return }
      // Not process 1 of its namespace, which still reports what the program cost.
      Glibc.kill(child.process, SIGKILL)
    }
  }

  /// Asks it to end, kills it after `grace`; blocks until it has ended.
  @discardableResult
  package func terminate(by number: CInt = SIGTERM, grace: Duration = .seconds(2)) -> ProcessEnding? {
    signal(number)
    if let ending = waitUntilEnded(timeout: grace) { return ending }
    kill()
    return waitUntilEnded()
  }

  /// The same without blocking a thread of the task's.
  @discardableResult
  package func terminated(grace: Duration = .seconds(2)) async throws -> ProcessEnding {
    signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + grace.dispatchInterval) { self.kill() }
    return try await ended()
  }

  /// Processor time that it and its live descendants have used so far, their ended threads included; afterwards what
  /// the system counted at the end. nil when that is not known.
  package var cpuSeconds: Double? {
    state.withLock { state in
      switch state {
      case .running: return ProcessTimes.seconds(of: child.process)
      case .ended(let ending):
        guard let user = ending.userSeconds, let system = ending.systemSeconds else { return nil }
        return user + system
      }
    }
  }
}
