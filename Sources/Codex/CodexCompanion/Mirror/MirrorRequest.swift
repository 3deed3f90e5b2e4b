import CodexWorkersClient
import ResolveKitCore

/// A request that came through the worker's log.
struct MirrorRequest: Equatable, Sendable {
  enum Method: String, Sendable {
    case threadStart = "thread/start"
    case threadResume = "thread/resume"
    case turnStart = "turn/start"
    case turnInterrupt = "turn/interrupt"
    case threadList = "thread/list"
    case threadRead = "thread/read"

    /// Whether performing it a second time, where it is not known what became of the first, does no harm: a message that
    /// comes again under its id starts no second turn.
    var isRepeatable: Bool {
      switch self {
      case .threadStart: false
      case .threadResume, .turnStart, .turnInterrupt, .threadList, .threadRead: true
      }
    }
  }

  let id: String
  /// The method's name as it was sent; the receipt repeats it.
  let methodName: String
  let params: JSONObject
  let threadID: String?
  /// Seconds since 1970 by the runtime's clock; nil where the request does not say.
  let expiresAt: Double?

  /// The method, where it is one that may be asked for.
  var method: Method? { Method(rawValue: methodName) }

  /// Nil for an event that is no request.
  init?(_ event: WorkerEvent) {
    guard event.type == "worker.request", let id = event.payload["request_id"]?.stringValue, !id.isEmpty,
      id.utf8.count <= 640, let method = event.payload["method"]?.stringValue
    else { return nil }
    self.id = id
    methodName = method
    switch event.payload["params"] {
    case .object(let members)?: params = members
    default: params = [:]
    }
    threadID = params["threadId"]?.stringValue ?? event.payload["thread_id"]?.stringValue
    expiresAt = event.payload["expires_at"]?.stringValue.flatMap(MirrorClock.seconds)
  }
}

/// The reason for which a request was not performed, by the contract's codes.
struct MirrorRefusal: Error, Equatable {
  enum Code: String, Sendable {
    case forbidden
    case invalidRequest = "invalid_request"
    case unsupportedMethod = "unsupported_method"
    case conflict
    case workerUnavailable = "worker_unavailable"
    case timeout
    case internalError = "internal_error"
  }

  let code: Code
  let message: String
  var isRetryable = false
  var details: JSONObject = [:]

  init(_ code: Code, _ message: String, isRetryable: Bool = false, details: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable
    self.details = details
  }

  init(_ error: any Error) {
    switch error {
    case let error as MirrorRefusal: self = error
    case let error as ChatError:
      switch error.code {
      case .unknownChat, .unknownProject, .unknownApproval, .unsupportedAnswer:
        self.init(.invalidRequest, error.message)
      case .answered, .unconfirmed, .refused: self.init(.conflict, error.message)
      case .unavailable, .busy, .tooMany: self.init(.workerUnavailable, error.message, isRetryable: true)
      }
    case let error as CodexCallError:
      switch error.code {
      case .refused: self.init(.conflict, "Codex refuses it: \(error.message)")
      case .unavailable, .busy: self.init(.workerUnavailable, error.message, isRetryable: true)
      case .timedOut: self.init(.timeout, error.message)
      }
    case let error as CompanionError: self.init(.invalidRequest, error.message)
    case let error as ProjectError: self.init(.invalidRequest, error.message)
    default: self.init(.internalError, "\(error)")
    }
  }
}
