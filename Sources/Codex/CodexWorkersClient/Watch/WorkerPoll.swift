import EventStream
import HTTPTypes
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// One attempt on a worker's stream: HTTP/3 first, the cursor in the request that goes out beside the handshake, silence
/// noticed. When to try again is the watch's business.
struct WorkerPoll: Sendable {
  let calls: WorkersCalls
  let configuration: WorkersConfiguration
  let worker: String
  let cursor: Int64

  /// Reports what happens, up to the stream's end; each call returns when the fact is dealt with.
  func run(_ report: @Sendable (WorkerWatch.Fact) async throws -> Void) async throws {
    let requestID = LetterID.make("remotereq-")
    do {
      let fact = try await read(requestID, report)
      if case .ended(let error?, _) = fact { log(error, requestID) }
      try await report(fact)
    } catch let error as EventSourceError {
      try await report(.ended(Self.error(error, requestID, isFinal: true), ordered: .zero))
    } catch let error as WorkersError {
      try await report(.ended(error, ordered: .zero))
    }
  }

  private func read(
    _ requestID: String, _ report: @Sendable (WorkerWatch.Fact) async throws -> Void
  ) async throws -> WorkerWatch.Fact {
    let client = EventSourceClient(transport: calls.transport, configuration: source, logger: calls.logger)
    let path = calls.base.target(
      "\(WorkersCall.root)\(WorkersClient.path(worker))/stream?tail_ms=\(tailMilliseconds)")
    let updates = client.updates { [token = calls.token] _ in
      guard let token = await token(), !token.isEmpty else { throw WorkersError.signedOut }
      var fields: HTTPFields = [.authorization: "Bearer \(token)", .prefer: "wait"]
      fields[RequestID.name] = requestID
      return EventSourceRequest(path: path, fields: fields)
    }
    for try await update in updates {
      switch update {
      case .connecting, .comment, .idCommitted: break
      case .opened(let connection): try await report(.opened(transport: connection.transport.rawValue))
      case .event(let event, _):
        for frame in WorkerFrame.frames(of: event, worker: worker, requestID: requestID) {
          switch frame {
          case .event(let event): try await report(.event(event))
          case .failure(let error):
            log(error, requestID)
            try await report(.failed(error))
          }
        }
      case .disconnected(let reason, let isClean, let retryIn):
        if Self.isRoutine(reason) { continue }
        return .ended(isClean ? nil : Self.error(reason, requestID, isFinal: false), ordered: retryIn)
      }
    }
    return .ended(nil, ordered: .zero)
  }

  private func log(_ error: WorkersError, _ requestID: String) {
    calls.logger.notice(
      "a stream failed: \(error)", metadata: ["worker": "\(worker.visible)", "x-request-id": "\(requestID)"])
  }

  private var tailMilliseconds: Int {
    let (seconds, attoseconds) = configuration.tail.components
    let milliseconds = min(max(seconds, 0), 120) * 1_000 + attoseconds / 1_000_000_000_000_000
    return Int(min(max(milliseconds, 1), 120_000))
  }

  private var source: EventSourceConfiguration {
    var source = EventSourceConfiguration()
    source.cursor = .queryAndLastEventID(name: "cursor")
    // Always given: without a cursor the server begins at the log's present end.
    source.lastEventID = String(cursor)
    // Of its waits, those that the server orders are left; our own are the watch's.
    source.backoff = BackoffConfiguration(floor: .zero, base: .zero, ceiling: .zero, gracefulCloseSpread: .zero)
    source.onStatus = { _ in .retry }
    source.idleTimeout = configuration.idleTimeout
    source.responseTimeout = configuration.callTimeout
    source.limits = EventStreamLimits(line: 4 << 20, event: 4 << 20, buffered: 8 << 20)
    source.clock = configuration.clock
    return source
  }

  /// Whether the same sequence continues by itself, over a connection that serves better.
  private static func isRoutine(_ reason: EventSourceError) -> Bool {
    switch reason {
    case .moved, .restarted: true
    case .transport(let error): error.code == .superseded
    case .ended, .status, .contentType, .redirect, .idle, .noResponse, .limit: false
    }
  }

  private static func error(_ error: EventSourceError, _ requestID: String, isFinal: Bool) -> WorkersError {
    switch error {
    case .status(let code, let body): WorkersError(status: code, body: body, requestID: requestID)
    case .idle, .noResponse: WorkersError(.timedOut, error.description, requestID: requestID, cause: error)
    case .contentType, .redirect, .limit:
      .unreadable(error.description, status: nil, requestID: requestID, cause: error)
    case .ended, .moved, .restarted, .transport:
      isFinal
        ? WorkersError(.unreadable, error.description, requestID: requestID, cause: error)
        : .unreachable(error, requestID: requestID)
    }
  }
}
