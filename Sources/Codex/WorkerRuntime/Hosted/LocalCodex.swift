import CodexAppServer
import CodexRemoteContract
import Foundation
import Logging
import ResolveKitCore
import Synchronization

/// The real codex, for one worker: with a home and a working folder of its own.
///
/// It is spoken with by its input and output, so that it ends with the runtime. What it asks, such as an approval, is
/// refused: nobody is there to answer.
final class LocalCodex: HostedCodex {
  private let process: AppServerProcess
  private let connection = Mutex<AppServerConnection?>(nil)

  /// Makes the worker's folders. Throws `AppServerError`, and errors of the file system.
  init(_ settings: HostedSettings, folder: HostedFolder, logger: Logger) throws {
    try folder.make(configuration: settings.codexHome)
    var environment = settings.environment
    environment["CODEX_HOME"] = folder.home
    process = AppServerProcess(
      AppServerProcessConfiguration(
        program: settings.program, environment: environment, folder: try SocketFolder(folder.state), mode: .stdio,
        client: AppServerClient(name: "agent-stream-workers", title: "agent-stream workers", version: "0.1.0")),
      logger: logger)
  }

  func run(_ report: @escaping @Sendable (HostedCodexEvent) async -> Void) async throws {
    let reader = Reader(report)
    do {
      try await process.run { [weak self] event in
        switch event {
        case .started(let connection, let greeting, _):
          self?.connection.withLock { $0 = connection }
          await reader.begin(connection, version: greeting.version.map { "\($0)" } ?? "")
        case .ended(let reason, _):
          self?.connection.withLock { $0 = nil }
          await reader.end(reason.message)
        }
      }
    } catch {
      connection.withLock { $0.take() }?.close()
      throw error
    }
  }

  func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    guard let connection = connection.withLock({ $0 }) else {
      throw LaneRefusal(.workerUnavailable, "codex is being started", isRetryable: true)
    }
    do {
      return try await connection.call(method, params)
    } catch let error as AppServerError {
      throw LaneRefusal(error)
    }
  }

  /// Reads what codex sends, and reports it in order: all that a connection brought comes before its end.
  private actor Reader {
    private let report: @Sendable (HostedCodexEvent) async -> Void
    private var reading: Task<Void, Never>?

    init(_ report: @escaping @Sendable (HostedCodexEvent) async -> Void) { self.report = report }

    func begin(_ connection: AppServerConnection, version: String) async {
      await report(.started(version: version))
      reading = Task { [report] in
        do {
          for try await event in connection.events {
            switch event {
            case .notification(let notification):
              await report(.notified(method: notification.method, params: notification.params))
            case .request(let request):
              try? await connection.refuse(request.id, message: "Nobody is there to answer.")
            }
          }
        } catch {
          // The process says it as well.
        }
      }
    }

    func end(_ reason: String) async {
      await reading?.value
      reading = nil
      await report(.ended(reason: reason))
    }
  }
}

extension LaneRefusal {
  /// The refusal for codex's own, or its absence.
  init(_ error: AppServerError) {
    switch error.code {
    case .refused(let refusal): self = .byCodex(refusal.message)
    case .timedOut: self.init(.timeout, error.message)
    case .tooLarge: self.init(.invalidRequest, error.message)
    case .tooManyCalls, .unreachable, .connectionLost, .closed, .protocolViolation, .malformed, .notFound, .tooOld,
      .startFailed, .unusableFolder:
      self.init(.workerUnavailable, error.message, isRetryable: true)
    }
  }
}
