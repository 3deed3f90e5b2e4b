import CodexAppServer
import Logging
import ResolveKitCore
import Synchronization

/// The real codex, kept running and connected.
final class CodexService: CodexLink {
  /// The time that a call waits for a connection: codex starts in a third of a second, in many seconds where its 300 MB
  /// are read from a slow disk first, and clients that ask meanwhile need not ask again.
  private static let patience = Duration.seconds(15)

  private struct State {
    var connection: AppServerConnection?
    /// The reason for which codex is not started any more.
    var failure: String?
  }

  private let process: AppServerProcess
  private let clock: any Clock<Duration>
  private let logger: Logger
  private let state = Mutex(State())

  init(_ configuration: AppServerProcessConfiguration, clock: any Clock<Duration>, logger: Logger) {
    process = AppServerProcess(configuration, logger: logger)
    self.clock = clock
    self.logger = logger
  }

  /// Codex's condition, for a person.
  var condition: String {
    let (connection, failure) = state.withLock { ($0.connection, $0.failure) }
    if let failure { return failure }
    return connection?.isOpen == true ? "codex is running" : "codex is being started"
  }

  func call(_ method: String, _ params: JSONObject) async throws -> JSONObject {
    do {
      return try await connected().call(method, .object(params)).objectValue ?? [:]
    } catch let error as AppServerError {
      throw CodexCallError(error)
    }
  }

  func answer(_ requestID: JSONValue, _ result: JSONValue) async {
    guard let connection = state.withLock({ $0.connection }), let id = AppServerID(requestID) else { return }
    do {
      try await connection.answer(id, result: result)
    } catch {
      // It is asked again by the next connection.
      logger.notice("an answer to codex was lost: \(error)")
    }
  }

  func refuse(_ requestID: JSONValue, _ reason: String) async {
    guard let connection = state.withLock({ $0.connection }), let id = AppServerID(requestID) else { return }
    try? await connection.refuse(id, message: reason)
  }

  private func connected() async throws -> AppServerConnection {
    var waited = Duration.zero
    while true {
      let (connection, failure) = state.withLock { ($0.connection, $0.failure) }
      if let connection { return connection }
      guard failure == nil, waited < Self.patience else {
        throw CodexCallError(.unavailable, failure ?? "Codex is not running at the moment; it is being started.")
      }
      try await clock.sleep(for: .milliseconds(50))
      waited += .milliseconds(50)
    }
  }

  /// Keeps codex running until the task is cancelled, and reports changes.
  func run(_ report: @escaping @Sendable (CodexReport) async -> Void) async {
    let watch = Watch(report: report)
    do {
      try await process.run(clock: clock) { [state = StateDoor(service: self)] event in
        switch event {
        case .started(let connection, _, let joined):
          await watch.started(connection, joined: joined)
          state.set(connection)
        case .ended(let error, _):
          state.set(nil)
          await watch.ended(error.description)
        }
      }
    } catch is CancellationError {
      // The companion ends; codex continues.
    } catch {
      logger.critical("codex is not started any more: \(error)")
      state.withLock { $0.failure = "\(error)" }
      await report(.ended(reason: "\(error)"))
    }
    state.withLock { $0.connection = nil }
  }

  private struct StateDoor: Sendable {
    let service: CodexService

    func set(_ connection: AppServerConnection?) { service.state.withLock { $0.connection = connection } }
  }

  /// Reports changes in order: all that a connection brought comes before its end.
  private actor Watch {
    private let report: @Sendable (CodexReport) async -> Void
    private var reading: Task<Void, Never>?
    /// The reason for the last connection's end, where it is not known yet whether codex is gone.
    private var lost: String?

    init(report: @escaping @Sendable (CodexReport) async -> Void) { self.report = report }

    func started(_ connection: AppServerConnection, joined: Bool) async {
      if let lost, !joined { await report(.ended(reason: lost)) }
      lost = nil
      await report(.connected(isSameProcess: joined))
      reading = Task { [report] in
        do {
          for try await event in connection.events {
            switch event {
            case .notification(let notification):
              await report(
                .notification(method: notification.method, params: notification.params.objectValue ?? [:]))
            case .request(let request):
              await report(
                .request(id: request.id.json, method: request.method, params: request.params.objectValue ?? [:]))
            }
          }
        } catch {
          // The process says it as well.
        }
      }
    }

    func ended(_ reason: String) async {
      guard let reading else {
        // It could not be joined, and not be started: it is gone.
        if let lost { await report(.ended(reason: lost)) }
        lost = nil
        return
      }
      await reading.value
      self.reading = nil
      lost = reason
      await report(.disconnected)
    }
  }
}

extension CodexCallError {
  init(_ error: AppServerError) {
    switch error.code {
    case .refused(let refusal):
      self.init(.refused(refusal.code), refusal.message, data: refusal.data?.objectValue ?? [:])
    case .timedOut: self.init(.timedOut, error.message)
    case .tooManyCalls: self.init(.busy, error.message)
    case .tooLarge: self.init(.refused(-32_602), error.message)
    case .unreachable, .connectionLost, .closed, .protocolViolation, .malformed, .notFound, .tooOld, .startFailed,
      .unusableFolder:
      self.init(.unavailable, error.message)
    }
  }
}
