import EventLedger
import HTTPTypes
import Hummingbird
import JSONService
import Logging

/// Gives every error the contract's body.
struct WorkerErrorMiddleware: RouterMiddleware {
  typealias Context = RuntimeContext

  let dialect: Dialect

  func handle(
    _ request: Request, context: RuntimeContext, next: (Request, RuntimeContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error where error is CancellationError || Task.isCancelled {
      // The client has left; nobody reads an answer.
      throw CancellationError()
    } catch {
      return dialect.passed(APIFault(for: error, of: "\(request.method) \(request.uri.path)", context.logger)).response
    }
  }
}

extension APIFault {
  /// The response to an error.
  init(for error: any Error, of what: String, _ logger: Logger) {
    switch error {
    case let error as APIFault: self = error
    case let error as WorkerError: self.init(error)
    case let error as LedgerError: self.init(error, of: what, logger)
    case let error as SignInError: self.init(error)
    case let error as any HTTPResponseError:
      let code: WorkerError.Code = error.status == .notFound ? .notFound : .invalidRequest
      self.init(error.status, code.rawValue, error.status == .notFound ? "not found" : error.status.reasonPhrase)
    default:
      logger.error("\(what) failed: \(error)")
      self.init(
        .internalServerError, WorkerError.Code.internalError.rawValue, "internal error; the runtime's log has the cause"
      )
    }
  }

  private init(_ error: SignInError) {
    switch error {
    case .invalidCode: self = .invalid([("code", ["The code is invalid or has expired."])])
    case .tooManyCodes:
      self = .tooManyAttempts([.retryAfter: String(ChallengeBook.lifetime.components.seconds)])
    case .noMailer: self = .unavailable("this runtime sends no e-mail; ask its operator for a token")
    }
  }

  private init(_ error: LedgerError, of what: String, _ logger: Logger) {
    switch error.code {
    case .keyReused:
      self.init(WorkerError(.conflict, "the Idempotency-Key was used for another event"))
    case .trimmed(let floor): self.init(WorkerError.staleCursor(floor: floor))
    case .invalid: self.init(WorkerError(.invalidRequest, error.message))
    case .exhausted, .unavailable, .database, .fenced, .leased:
      logger.error("\(what): the ledger fails: \(error)")
      self = .unavailable("the runtime cannot reach its ledger at the moment; try again later")
    case .unknownStream, .deletedStream, .cursorAhead:
      logger.error("\(what): the ledger is not what it was: \(error)")
      self.init(
        .internalServerError, WorkerError.Code.internalError.rawValue, "internal error; the runtime's log has the cause"
      )
    }
  }
}
