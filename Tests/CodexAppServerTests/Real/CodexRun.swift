import CodexAppServer
import Logging
import ResolveKitCore
import Testing

/// An `AppServerProcess` that runs while a test watches it.
final class CodexRun: Sendable {
  let process: AppServerProcess
  private let task: Task<Void, any Error>
  private let events: AsyncStream<AppServerProcessEvent>

  init(_ configuration: AppServerProcessConfiguration) {
    let process = AppServerProcess(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let (events, continuation) = AsyncStream.makeStream(of: AppServerProcessEvent.self)
    self.process = process
    self.events = events
    task = Task {
      defer { continuation.finish() }
      try await process.run { continuation.yield($0) }
    }
  }

  /// The next event; nil once it has ended.
  func next() async -> AppServerProcessEvent? {
    var iterator = events.makeAsyncIterator()
    return await iterator.next()
  }

  /// The connection of the start that is reported next.
  func started(joined: Bool) async throws -> AppServerConnection {
    let event = await next()
    guard case .started(let connection, let greeting, let isJoined) = event else {
      throw AppServerError(.startFailed, "reported instead: \(String(describing: event))")
    }
    #expect(isJoined == joined)
    #expect(greeting.userAgent.hasPrefix("probe/"))
    return connection
  }

  /// The reason of the end that is reported next.
  func ended() async throws -> AppServerError {
    let event = await next()
    guard case .ended(let reason, _) = event else {
      throw AppServerError(.startFailed, "reported instead: \(String(describing: event))")
    }
    return reason
  }

  /// We end, and codex need not.
  func leave() async {
    task.cancel()
    _ = await task.result
  }

  /// The error of a run that cannot continue.
  func error() async -> AppServerError? {
    do {
      try await task.value
      return nil
    } catch {
      return error as? AppServerError
    }
  }
}
