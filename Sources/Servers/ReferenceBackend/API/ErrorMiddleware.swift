import EventLedger
import GRDB
import HTTPTypes
import Hummingbird
import Logging
import ResolveKitCore

/// Gives every error the contract's body, those of Hummingbird and of the database too.
struct ErrorMiddleware: RouterMiddleware {
  typealias Context = BackendContext

  func handle(
    _ request: Request, context: BackendContext, next: (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as APIError {
      throw error
    } catch let error as HTTPError where error.status == .notFound {
      throw APIError.notFound
    } catch let error as any HTTPResponseError {
      throw APIError(status: error.status, detail: .string(error.status.reasonPhrase))
    } catch let error where error is CancellationError || Task.isCancelled {
      // The client has left, and the database says so in words of its own.
      throw CancellationError()
    } catch let error as LedgerError where Self.passes(error) {
      context.logger.error("nothing can be stored: \(error)")
      throw APIError.cannotStore
    } catch {
      context.logger.error("\(request.method) \(request.uri.path) failed: \(error)")
      throw APIError(status: .internalServerError, detail: "Internal Server Error")
    }
  }

  /// Whether it is the disk's fault, the database server's, or another program's that reads the file: clients may try
  /// again.
  private static func passes(_ error: LedgerError) -> Bool {
    switch error.code {
    case .unavailable, .exhausted: return true
    case .fenced, .leased, .unknownStream, .deletedStream, .keyReused, .trimmed, .cursorAhead, .invalid, .database:
      break
    }
    guard let code = (error.cause as? DatabaseError)?.resultCode else { return false }
    return [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_CANTOPEN].contains(
      code)
  }
}
