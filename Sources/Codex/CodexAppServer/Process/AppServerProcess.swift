import Glibc
package import Logging
import ResolveKitCore
import Synchronization

/// Keeps codex running, and connected.
///
/// In `socket` mode it joins a codex that serves the folder's socket already, and never ends one unless ``end()`` is
/// called: turns continue without us.
package final class AppServerProcess: Sendable {
  private let configuration: AppServerProcessConfiguration
  private let logger: Logger
  private let log: CodexLog
  private let connection = Mutex<AppServerConnection?>(nil)

  package init(_ configuration: AppServerProcessConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
    log = CodexLog(path: configuration.folder.log)
  }

  /// Starts codex or joins it, and again whenever it has ended, until the task is cancelled.
  ///
  /// - Parameter report: called with each change, in order; codex is not watched while it runs, so it must return soon.
  /// - Throws: `AppServerError` where no attempt can help: `tooOld`, `protocolViolation`; `CancellationError`.
  package func run(
    clock: any Clock<Duration> = ContinuousClock(), report: @Sendable (AppServerProcessEvent) async -> Void
  ) async throws {
    var rule = configuration.restarts
    var generator = SystemRandomNumberGenerator()
    if configuration.program.bubblewrap(environment: configuration.environment) == nil {
      logger.warning("there is no bubblewrap (bwrap): each command in codex's sandbox will fail; install it")
    }
    while true {
      try Task.checkCancellation()
      let reason: AppServerError
      var life = Duration.zero
      do {
        let running = try await start()
        let beginning = ContinuousClock.now
        connection.withLock { $0 = running.connection }
        await report(.started(running.connection, running.greeting, joined: running.isJoined))
        reason = await running.end(log: log)
        connection.withLock { $0 = nil }
        life = ContinuousClock.now - beginning
      } catch let error as AppServerError where !error.isFinal {
        reason = error
      }
      try Task.checkCancellation()
      let wait = rule.wait(afterLife: life, using: &generator)
      logger.warning("codex is started anew after \(wait): \(reason)")
      await report(.ended(reason, restartAfter: wait))
      try await clock.sleep(for: wait)
    }
  }

  /// Ends the codex of this folder, gracefully if it lets us: its turns are interrupted, its socket is removed.
  package func end() async {
    connection.withLock { $0 }?.close()
    guard let number = ServingProcess(folder: configuration.folder).number else { return }
    kill(number, SIGTERM)
    for _ in 0..<100 where ServingProcess(folder: configuration.folder).number == number {
      try? await Task.sleep(for: .milliseconds(50))
    }
    if ServingProcess(folder: configuration.folder).number == number { kill(number, SIGKILL) }
  }

  private func start() async throws -> RunningAppServer {
    let starter = AppServerStarter(configuration: configuration, log: log, logger: logger)
    let running =
      switch configuration.mode {
      case .socket: try await starter.joinOrStart()
      case .stdio: try await starter.startChild()
      }
    if let version = running.greeting.version, version >= CodexVersion.oldest { return running }
    running.connection.close()
    let version = running.greeting.version.map { "\($0)" } ?? running.greeting.userAgent.visibleJSON
    throw AppServerError(
      .tooOld,
      "Codex is version \(version), and \(CodexVersion.oldest) or newer is needed; install it, and end the one that runs."
    )
  }
}
