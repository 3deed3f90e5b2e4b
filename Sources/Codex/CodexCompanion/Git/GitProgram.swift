import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// The installed git, run without a shell: within limits of time and output, in a session of its own that is ended as a
/// whole.
package final class GitProgram: Sendable {
  /// The most commands that run at once.
  static let maximumCommands = 8
  /// The time for git to remove its locks once it is asked to end.
  private static let grace: Duration = .milliseconds(500)

  private let path: FilePath
  private let environment: GitEnvironment
  /// The grace of each command beyond its own time.
  private let slack: Duration
  private let running = Mutex(0)

  /// The git of the first absolute folder of `PATH` that has one. Throws ``GitError`` where none has.
  ///
  /// - Parameter slack: What each command gets beyond its own time, on a machine that is busy with more than git.
  package convenience init(environment: [String: String], slack: Duration = .zero) throws(GitError) {
    let folders = environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
    // A relative folder would be one of whatever project git runs in.
    let paths: [String] = folders.filter { $0.hasPrefix("/") }.map { "\($0)/git" }
    let path = paths.first { access($0, X_OK) == 0 }
    guard let path else {
      throw GitError(.unavailable, "There is no git on the PATH; install it (apt-get install git) and start again.")
    }
    self.init(path: path, environment: environment, slack: slack)
  }

  init(path: String, environment: [String: String], slack: Duration = .zero) {
    self.path = FilePath(path)
    self.slack = slack
    self.environment = GitEnvironment(
      from: environment, programFolder: FilePath(path).removingLastComponent().string)
  }

  /// Runs a command in a folder. An error of git is an output with its exit code.
  func run(_ command: GitCommand, in folder: String, settings: GitSettings) async throws(GitError) -> GitOutput {
    guard start() else {
      throw GitError(.busy, "Too many git commands run at once; try again in a moment.")
    }
    defer { running.withLock { $0 -= 1 } }
    let configuration = configuration(of: command, in: folder, settings: settings)
    let output: GitOutput?
    do {
      output = try await Self.run(configuration, command, within: command.timeLimit + slack)
    } catch let error as GitError {
      throw error
    } catch {
      throw GitError(.unavailable, "git could not be run in '\(folder)': \(error).", cause: error)
    }
    guard let output else {
      throw GitError(
        .timedOut, "git took longer than \(command.timeLimit + slack) and was ended; try again, or use git there.")
    }
    guard !output.isCut || command.excess == .cut else {
      throw GitError(
        .tooLong, "git wrote more than \(command.outputLimit) bytes, which is not read; ask for less, or use git there."
      )
    }
    return output
  }

  /// Whether one more may run; then it is to be counted out again.
  private func start() -> Bool {
    running.withLock { running in
      guard running < Self.maximumCommands else { return false }
      running += 1
      return true
    }
  }

  private func configuration(of command: GitCommand, in folder: String, settings: GitSettings) -> Configuration {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: Self.grace),
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero),
    ]
    return Configuration(
      executable: .path(path), arguments: Arguments(["--no-pager"] + command.arguments),
      environment: .custom(environment.variables(for: command, settings: settings)),
      workingDirectory: FilePath(folder), platformOptions: options)
  }

  /// nil where the command took longer than it may.
  private static func run(
    _ configuration: Configuration, _ command: GitCommand, within time: Duration
  ) async throws -> GitOutput? {
    try await withThrowingTaskGroup(of: GitOutput?.self) { group in
      group.addTask { try await GitProcess(command: command).run(configuration) }
      group.addTask {
        try await Task.sleep(for: time)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
