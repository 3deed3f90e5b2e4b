public import Foundation
import HTTPTypes
public import Logging
import ResolveKitCore
import ResolveKitNetworking
public import StreamTransport

/// The worker API: lists workers, watches them, administers them.
///
/// Safe to use from any task. Calls throw ``WorkersError``, and `CancellationError` where their task was cancelled. Each
/// has an `x-request-id`, which its log line and its error name.
public struct WorkersClient: Sendable {
  let calls: WorkersCalls
  let configuration: WorkersConfiguration

  /// - Parameters:
  ///   - baseURL: its path, such as `/proxy`, is put before every path of the contract.
  ///   - token: asked before each call; nil and the empty text give `signInNeeded`.
  public init(
    baseURL: URL, transport: any HTTPTransport, configuration: WorkersConfiguration = WorkersConfiguration(),
    logger: Logger = Logger(label: "codex.workers"), token: @escaping @Sendable () async -> String?
  ) {
    self.configuration = configuration
    calls = WorkersCalls(
      base: ResolveKitBasePath(baseURL), transport: transport, token: token, clock: configuration.clock,
      logger: logger)
  }

  /// The signed-in person's workers, the one that changed last first.
  ///
  /// - Parameter limit: from 1 to 200.
  public func list(
    status: WorkerStatus? = nil, workspace: String? = nil, limit: Int = 200
  ) async throws -> [WorkerSnapshot] {
    var items = ["limit=\(min(max(limit, 1), 200))"]
    if let status { items.append("status=\(ResolveKitBasePath.encoded(status.word))") }
    if let workspace { items.append("workspace_ref=\(ResolveKitBasePath.encoded(workspace))") }
    let call = call(.get, "?" + items.joined(separator: "&"))
    guard let rows = try await calls.data(of: call).arrayValue else {
      throw calls.unreadable(call, "the answer's data is no list")
    }
    return rows.compactMap(WorkerSnapshot.init)
  }

  /// A worker's state now.
  public func snapshot(of worker: String) async throws -> WorkerSnapshot {
    try await calls.model(of: call(.get, Self.path(worker))) { WorkerSnapshot(.object($0.members)) }
  }

  /// Creates a worker, or takes up a stopped one under its id.
  public func register(_ registration: WorkerRegistration) async throws -> WorkerCreation {
    try await calls.model(of: call(.post, "", body: registration.json), WorkerCreation.init)
  }

  /// Sends a request to the Codex behind a worker. Its id is the call's `x-request-id`.
  ///
  /// The same request may be sent again under its id, be it after a lost answer: it is performed once.
  public func send(_ request: WorkerControlRequest, to worker: String) async throws -> WorkerAnswer {
    var call = call(.post, Self.path(worker) + "/requests", body: request.json)
    call.requestID = request.id
    call.timeout = configuration.requestTimeout
    return try await calls.model(of: call, WorkerAnswer.init)
  }

  /// Stores an event in a worker's log.
  ///
  /// - Parameter key: makes repeating it safe where the server has this extension; without it, an event whose answer was
  ///   lost may be stored twice.
  /// - Returns: the event as it is stored.
  public func store(
    _ draft: WorkerEventDraft, in worker: String, key: String? = nil
  ) async throws -> WorkerEvent {
    var call = call(.post, Self.path(worker) + "/events", body: draft.json)
    call.idempotencyKey = key
    return try await calls.model(of: call) { WorkerEvent(.object($0.members)) }
  }

  /// Stops a worker; its requests end, its log stays.
  ///
  /// - Parameter reason: of 255 characters at most, for readers of the log.
  public func stop(_ worker: String, reason: String? = nil) async throws -> WorkerStop {
    let body: JSONValue = .object(reason.map { ["reason": .string($0)] } ?? [:])
    return try await calls.model(of: call(.post, Self.path(worker) + "/stop", body: body), WorkerStop.init)
  }

  private func call(_ method: HTTPRequest.Method, _ path: String, body: JSONValue? = nil) -> WorkersCall {
    WorkersCall(
      method: method, path: WorkersCall.root + path, body: body, requestID: LetterID.make("remotereq-"),
      timeout: configuration.callTimeout)
  }

  /// A worker's id holds colons, and a server's may hold anything.
  static func path(_ worker: String) -> String { "/" + ResolveKitBasePath.encoded(worker) }
}
