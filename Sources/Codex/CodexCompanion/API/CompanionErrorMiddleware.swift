import EventLedger
import HTTPTypes
import Hummingbird
import Logging

/// Gives every error the contract's body and every response the request's trace id.
struct CompanionErrorMiddleware: RouterMiddleware {
  typealias Context = CompanionContext

  private static let traceID = HTTPField.Name("x-codex-trace-id")

  func handle(
    _ request: Request, context: CompanionContext, next: (Request, CompanionContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error where error is CancellationError || Task.isCancelled {
      // The client has left; nobody reads an answer.
      throw CancellationError()
    } catch {
      response =
        CompanionError(for: error, of: "\(request.method) \(request.uri.path)", context.logger).response
    }
    if let name = Self.traceID { response.headers[name] = Self.trace(request.headers[name], context) }
    return response
  }

  /// The client's own id where it has one that a log line can hold, else the request's.
  private static func trace(_ text: String?, _ context: CompanionContext) -> String {
    guard let text, (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return context.id
    }
    return text
  }
}

extension CompanionError {
  /// The response to an error.
  init(for error: any Error, of what: String, _ logger: Logger) {
    switch error {
    case let error as CompanionError: self = error
    case let error as ChatError: self.init(error.status, error.message)
    case let error as GitError: self.init(error.status, error.message)
    case let error as HistoryError: self.init(error.status, error.message)
    case let error as ProjectError: self.init(error.status, error.message)
    case let error as SettingsError: self.init(error.status, error.message)
    case let error as DeviceError: self.init(.internalServerError, error.message)
    case let error as LedgerError where error.code == .database:
      logger.error("nothing can be stored: \(error)")
      self.init(
        .serviceUnavailable, "The companion cannot store anything at the moment; try again later.",
        headers: [.retryAfter: "5"])
    case let error as any HTTPResponseError:
      self.init(error.status, error.status == .notFound ? "Not found" : error.status.reasonPhrase)
    default:
      logger.error("\(what) failed: \(error)")
      self.init(.internalServerError, "Internal error; the companion's log has the cause.")
    }
  }
}

extension ChatError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .unknownApproval, .unknownChat, .unknownProject: .notFound
    case .answered, .unconfirmed: .conflict
    case .unsupportedAnswer: .badRequest
    case .refused: .badGateway
    case .unavailable, .busy: .serviceUnavailable
    case .tooMany: .tooManyRequests
    }
  }
}

extension GitError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .unavailable: .internalServerError
    case .busy: .serviceUnavailable
    case .notRepository, .refused, .failed, .tooLong: .badRequest
    case .timedOut: .gatewayTimeout
    }
  }
}

extension HistoryError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .notFound: .notFound
    case .invalidID: .badRequest
    case .unreadable, .cancelled: .internalServerError
    case .busy: .serviceUnavailable
    }
  }
}

extension ProjectError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .notFound: .notFound
    case .folderGone: .gone
    case .storage: .internalServerError
    }
  }
}

extension SettingsError {
  fileprivate var status: HTTPResponse.Status {
    switch code {
    case .invalid: .badRequest
    case .conflict: .conflict
    case .busy: .serviceUnavailable
    case .codex: .badGateway
    }
  }
}
