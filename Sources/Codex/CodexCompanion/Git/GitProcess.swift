import Glibc
import Subprocess
import Synchronization

/// One run of git, from its start until nothing of it is left.
final class GitProcess: Sendable {
  private let command: GitCommand
  /// The process, which is also the number of its group.
  private let process = Mutex<pid_t?>(nil)

  init(command: GitCommand) { self.command = command }

  /// Runs git and returns its result. When the task is cancelled, git and what it has started are ended.
  func run(_ configuration: Configuration) async throws -> GitOutput {
    do {
      let result = try await Subprocess.run(
        configuration, input: .array(command.input), output: .sequence, error: .sequence
      ) { execution in
        self.process.withLock { $0 = execution.processIdentifier.value }
        async let errors = Self.read(execution.standardError, limit: GitOutput.maximumError) {}
        let output = try await Self.read(execution.standardOutput, limit: self.command.outputLimit) {
          try? execution.send(signal: .terminate, toProcessGroup: true)
        }
        return (output, try await errors)
      }
      let ((output, isCut), (errorOutput, _)) = result.closureResult
      let code =
        switch result.terminationStatus {
        case .exited(let code): code
        // As a shell reports it.
        case .signaled(let signal): 128 + signal
        }
      return GitOutput(output: output, isCut: isCut, errorOutput: errorOutput, exitCode: isCut ? 0 : code)
    } catch {
      endGroup()
      throw error
    }
  }

  /// Kills what git has started and left behind. Its number is still the group's as long as there is such a process,
  /// and is given to another only after all other numbers.
  private func endGroup() {
    if let process = process.withLock({ $0 }), process > 1 { _ = kill(-process, SIGKILL) }
  }

  /// The first bytes; the rest is read and dropped, so that nobody waits for a full pipe.
  private static func read(
    _ bytes: SubprocessOutputSequence, limit: Int, whenLonger end: () -> Void
  ) async throws -> ([UInt8], isCut: Bool) {
    var result: [UInt8] = []
    var isCut = false
    for try await buffer in bytes {
      let isTooMuch = buffer.count > limit - result.count
      buffer.withUnsafeBytes { result.append(contentsOf: $0.prefix(limit - result.count)) }
      if isTooMuch, !isCut { end() }
      isCut = isCut || isTooMuch
    }
    return (result, isCut)
  }
}
