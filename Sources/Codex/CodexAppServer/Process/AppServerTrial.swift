import Glibc
import Logging
import ResolveKitCore

/// A start of codex for a look at it: on its standard streams, with the user's own configuration, without a thread.
package struct AppServerTrial: Sendable {
  /// The result of a start.
  package enum Outcome: Hashable, Sendable {
    /// The process started; its complaint about its configuration, nil for none.
    case started(AppServerGreeting, configurationError: String?)
    /// The process ended before it answered, or never answered; its own last words.
    case failed(String)
  }

  private let program: CodexProgram
  private let environment: [String: String]
  private let startTime: Duration

  package init(of program: CodexProgram, environment: [String: String], within startTime: Duration = .seconds(20)) {
    self.program = program
    self.environment = environment
    self.startTime = startTime
  }

  /// Starts codex and ends it again.
  ///
  /// - Throws: `AppServerError.Code.unusableFolder` where there is no place for its log.
  package func run() async throws -> Outcome {
    let path = try Self.temporaryFolder(environment["TMPDIR"] ?? "/tmp")
    let folder = try SocketFolder(path)
    let log = CodexLog(path: folder.log)
    defer {
      unlink(folder.log)
      rmdir(path)
    }
    var configuration = AppServerProcessConfiguration(
      program: program, environment: environment, folder: folder, mode: .stdio,
      client: AppServerClient(name: "agent-stream-companion", version: "0.1.0"))
    configuration.startTime = startTime
    let logger = Logger(label: "trial") { _ in SwiftLogNoOpLogHandler() }
    let running: RunningAppServer
    do {
      running = try await AppServerStarter(configuration: configuration, log: log, logger: logger).startChild()
    } catch let error as AppServerError {
      let word = log.lastWord()
      return .failed(word.isEmpty ? error.message : word)
    }
    let complaint = await Self.complaint(running.connection)
    running.connection.close()
    _ = await running.end(log: log)
    return .started(running.greeting, configurationError: complaint)
  }

  /// The fault that keeps codex from reading its configuration: every thread would fail with it.
  private static func complaint(_ connection: AppServerConnection) async -> String? {
    do {
      _ = try await connection.call("config/read", [:])
      return nil
    } catch let error as AppServerError {
      guard case .refused(let refusal) = error.code else { return error.message }
      return refusal.message
    } catch {
      return "\(error)"
    }
  }

  private static func temporaryFolder(_ parent: String) throws(AppServerError) -> String {
    let path = "\(parent)/companion-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    // Fails where the name is taken, so that nobody else's folder is used.
    guard mkdir(path, 0o700) == 0 else {
      throw AppServerError(
        .unusableFolder,
        "No folder can be made in \(parent.visibleJSON) (\(String(cString: strerror(errno)))); set TMPDIR to another one."
      )
    }
    return path
  }
}
