import Glibc
import Logging
import NIOPosix
import ResolveKitCore

/// Starts codex once, or joins it.
struct AppServerStarter {
  let configuration: AppServerProcessConfiguration
  let log: CodexLog
  let logger: Logger

  /// A codex that serves the folder's socket, or a new one. A socket whose process is gone is taken over by codex itself.
  func joinOrStart() async throws -> RunningAppServer {
    if let connection = try await connect() {
      return try await greet(connection, nil, isOurs: false, within: configuration.startTime)
    }
    let process = try spawn(
      ["app-server", "--listen", "unix://\(configuration.folder.socket)"] + configuration.arguments, input: nil,
      output: nil)
    ServingProcess(folder: configuration.folder).note(process.number)
    let deadline = ContinuousClock.now + configuration.startTime
    do {
      while true {
        if let connection = try await connect() {
          let rest = max(.seconds(1), deadline - ContinuousClock.now)
          return try await greet(connection, process, isOurs: false, within: rest)
        }
        if let ending = process.ending { throw failure("it could not be started: \(ending)") }
        guard ContinuousClock.now < deadline else {
          throw failure("it serves no socket after \(configuration.startTime)")
        }
        try await Task.sleep(for: .milliseconds(30))
      }
    } catch {
      // It has no turns yet, and would be in the way of the next.
      process.signal(SIGTERM)
      throw error
    }
  }

  /// A new one that ends with us.
  func startChild() async throws -> RunningAppServer {
    let toCodex = try DescriptorPipe()
    let fromCodex: DescriptorPipe
    do { fromCodex = try DescriptorPipe() } catch {
      toCodex.closeBoth()
      throw error
    }
    let process: SpawnedProcess
    do {
      process = try spawn(["app-server"] + configuration.arguments, input: toCodex.reading, output: fromCodex.writing)
    } catch {
      toCodex.closeBoth()
      fromCodex.closeBoth()
      throw error
    }
    close(toCodex.reading)
    close(fromCodex.writing)
    do {
      let connection = try await AppServerConnection.open(
        input: fromCodex.reading, output: toCodex.writing, limits: configuration.limits, logger: logger)
      return try await greet(connection, process, isOurs: true, within: configuration.startTime)
    } catch {
      process.signal(SIGTERM)
      if let ending = await process.waitForEnd(within: .seconds(2)), error is AppServerError {
        throw failure("it could not be started: \(ending)")
      }
      throw error
    }
  }

  /// nil where nobody listens.
  private func connect() async throws -> AppServerConnection? {
    do {
      return try await AppServerConnection.connect(
        toSocket: configuration.folder.socket, within: .seconds(10), limits: configuration.limits, logger: logger)
    } catch let error as AppServerError where error.code == .unreachable {
      return nil
    }
  }

  private func greet(
    _ connection: AppServerConnection, _ process: SpawnedProcess?, isOurs: Bool, within time: Duration
  ) async throws -> RunningAppServer {
    do {
      let greeting = try await connection.initialize(configuration.client, within: time)
      return RunningAppServer(connection: connection, greeting: greeting, process: process, isOurs: isOurs)
    } catch {
      connection.close()
      throw error
    }
  }

  private func spawn(_ arguments: [String], input: CInt?, output: CInt?) throws -> SpawnedProcess {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { throw failure("/dev/null cannot be opened") }
    defer { close(null) }
    log.trim()
    let error = log.open()
    defer { if let error { close(error) } }
    return try SpawnedProcess(
      configuration.program.path, arguments, environment: configuration.environment, input: input ?? null,
      output: output ?? null, error: error ?? null)
  }

  private func failure(_ what: String) -> AppServerError {
    let line = log.lastWord()
    let quoted = line.isEmpty ? "" : "; its log ends with \(line.visibleJSON)"
    return AppServerError(
      .startFailed, "Codex does not run: \(what)\(quoted). The whole log is \(log.path.visibleJSON).")
  }
}
